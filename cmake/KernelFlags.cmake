# Code generation flags of the kernels.
#
# Every algorithm of the library is a sweep over the links of a mechanism in which each step is a
# small dense block of fixed size (6x6, 6xk), written with fixed-size types or vector types. The
# block is the only thing worth vectorising, and the types already say how. Left on, the automatic
# vectorisers look at the outer structure instead:
#   - clang turns loops over links into gathers and scatters through the index arrays, slower than the
#     scalar loop;
#   - triangular loops over packed symmetric storage are short and irregular, and get vector versions
#     with preambles and remainders around a handful of numbers;
#   - the SLP vectoriser packs unrelated scalars of neighbouring statements by shuffles.
# So they are off, for both compilers, and a kernel that wants lanes says so in its types.
#
# -fno-math-errno and -fno-trapping-math free sqrt and the compare-and-select forms from bookkeeping
# no caller reads; -ffp-contract=fast allows fused multiply-add. None of the three reorders a sum.
# -ffast-math is never used: it lets the compiler assume that no value is NaN or infinite, and the
# library checks its input for both; and it leaves the order of a sum to the compiler.
#
# -fno-schedule-insns2 (GCC): its second scheduling pass lengthens the life of values in straight-line
# kernels until they spill; without it the velocity sweep of a humanoid takes 0.37 us instead of 0.45.
#
# sra-max-scalarization-size-Ospeed (GCC): how large an object may be to be kept in registers piece by piece. An articulated
# inertia of four lanes has 672 bytes, and below that limit each copy of it goes through memory: with it the factorization of a
# humanoid with limbs in lanes takes 0.59 us instead of 0.88.
#
# Optimisation is -O3 even for RelWithDebInfo and MinSizeRel, and -O1 for Debug, since the fixed-size
# types are slow without any inlining.
#
# Benchmarks, and what measures or computes in the command and the Python module, get the same flags as
# the library. An inline function of a header that is not expanded exists once in a linked program,
# whichever object file brought it, so one object compiled otherwise could hand its slower copy to the
# kernels. The rest of these two, the io library and the tests hold no kernels and are compiled with -O1
# (delassus_light): readers of files, parsers of arguments and bindings take a third longer with -O3,
# which nobody would notice when they run.
function(delassus_kernel_flags target)
  set(gcc "$<CXX_COMPILER_ID:GNU>")
  set(clang "$<CXX_COMPILER_ID:Clang,AppleClang,IntelLLVM>")
  target_compile_options(
    ${target}
    PRIVATE "$<IF:$<CONFIG:Debug>,-O1,-O3>"
            "$<${gcc}:-fno-tree-vectorize;-fno-tree-slp-vectorize;-fno-schedule-insns2>"
            "$<${clang}:-fno-vectorize;-fno-slp-vectorize>"
            "$<${gcc}:--param=sra-max-scalarization-size-Ospeed=4096>"
            -fno-math-errno
            -fno-trapping-math
            -ffp-contract=fast)
endfunction()

# delassus_light(<target> [EXCEPT <regex>]): its sources are glue, but for those whose names match.
function(delassus_light target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "EXCEPT" "")
  target_compile_options(${target} PRIVATE -O1)
  if(arg_EXCEPT)
    get_target_property(kernels ${target} SOURCES)
    list(FILTER kernels INCLUDE REGEX "${arg_EXCEPT}")
    set_property(SOURCE ${kernels} APPEND PROPERTY COMPILE_OPTIONS "$<$<NOT:$<CONFIG:Debug>>:-O3>")
    # Precompiled headers are those of one set of flags.
    set_property(SOURCE ${kernels} PROPERTY SKIP_PRECOMPILE_HEADERS ON)
  endif()
endfunction()
