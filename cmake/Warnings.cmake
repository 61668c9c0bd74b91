# Warnings for our own targets. Headers of others come in as SYSTEM and are not judged.
#
# -Wsign-conversion stays off: indices are `int` throughout, and index std::vector.
function(delassus_warnings target)
  set(gcc "$<CXX_COMPILER_ID:GNU>")
  target_compile_options(
    ${target}
    PRIVATE -Wall
            -Wextra
            -Wpedantic
            -Wshadow
            -Wconversion
            -Wno-sign-conversion
            -Wnon-virtual-dtor
            -Wold-style-cast
            -Wcast-align
            -Wunused
            -Woverloaded-virtual
            -Wformat=2
            -Wimplicit-fallthrough
            "$<${gcc}:-Wduplicated-cond;-Wlogical-op>"
            # GCC means float arithmetic that slips into double. Clang means every widening, also that of
            # an argument to a parameter of type double or long double, which is said in the signature.
            "$<${gcc}:-Wdouble-promotion>"
            # The note that passing vector types by value differs between instruction sets. Only functions
            # that are always inlined do so.
            -Wno-psabi
            # GCC judges these after inlining, when code of others stands in ours and SYSTEM no longer
            # helps: it finds its own vector intrinsics reading uninitialised values on purpose, and
            # std::string overlapping itself. Clang and the sanitizers watch over both.
            "$<${gcc}:-Wno-maybe-uninitialized;-Wno-restrict>")
  if(DELASSUS_WERROR)
    # Of the other warnings given after inlining, GCC 12 is wrong too often for an error.
    target_compile_options(
      ${target}
      PRIVATE -Werror
              "$<${gcc}:-Wno-error=array-bounds;-Wno-error=stringop-overflow;-Wno-error=stringop-overread>"
              "$<${gcc}:-Wno-error=free-nonheap-object;-Wno-error=dangling-pointer>")
  endif()
endfunction()
