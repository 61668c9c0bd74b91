// Replaces the global operator new of this test program by one that counts.
#include "support/allocation_count.hpp"

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace {
std::atomic<std::int64_t> count{0}, bytes{0};
}  // namespace

namespace delassus::testing {
std::int64_t allocation_count() { return count; }
std::int64_t allocated_bytes() { return bytes; }
}  // namespace delassus::testing

// The thread sanitizer has operators of its own, beside which there can be no others: nothing is counted there.
#if !defined(DELASSUS_THREAD_SANITIZER)
namespace {
void add(std::size_t size) {
  ++count;
  bytes += static_cast<std::int64_t>(size);
}

void* counted_allocation(std::size_t size, std::size_t alignment) {
  add(size);
  // aligned_alloc wants a multiple of the alignment.
  const std::size_t rounded = (size + alignment - 1) / alignment * alignment;
  if (void* memory = std::aligned_alloc(alignment, rounded ? rounded : alignment)) return memory;
  throw std::bad_alloc();
}
}  // namespace

void* operator new(std::size_t size) { return counted_allocation(size, alignof(std::max_align_t)); }
void* operator new[](std::size_t size) { return counted_allocation(size, alignof(std::max_align_t)); }
void* operator new(std::size_t size, std::align_val_t a) {
  return counted_allocation(size, static_cast<std::size_t>(a));
}
void* operator new[](std::size_t size, std::align_val_t a) {
  return counted_allocation(size, static_cast<std::size_t>(a));
}
// What the standard library asks for when it can do without (std::stable_sort): freed by the same operators.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return std::malloc((add(size), size ? size : 1));
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  return std::malloc((add(size), size ? size : 1));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
#endif
