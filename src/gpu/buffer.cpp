#include <utility>

#include "gpu/device_parts.hpp"

namespace delassus::gpu {

template <class T>
Buffer<T>::Buffer(const Device& device, std::size_t count) : device_(device.parts()), data_(nullptr), size_(count) {
  if (count == 0) return;
  const Current current(*device_);
  DeviceAddress place = nullptr;
  require_done(driver().allocate(&place, count * sizeof(T)),
               "allocating " + std::to_string(count * sizeof(T)) + " bytes on " + device.name());
  data_ = static_cast<T*>(place);
}

template <class T>
Buffer<T>::Buffer(Buffer&& other) noexcept
    : device_(std::move(other.device_)),
      data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)) {}

template <class T>
Buffer<T>& Buffer<T>::operator=(Buffer&& other) noexcept {
  std::swap(device_, other.device_);
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

template <class T>
Buffer<T>::~Buffer() {
  if (data_ == nullptr) return;
  const Current current(*device_);
  driver().free(data_);
}

template <class T>
BatchView<T> Buffer<T>::view(int environments, int components) const {
  const auto needed = static_cast<long long>(environments) * components;
  if (environments < 0 || components < 0 || needed > static_cast<long long>(size_)) {
    throw Error("a buffer of " + std::to_string(size_) + " numbers is no (" + std::to_string(environments) + ", " +
                std::to_string(components) + ")");
  }
  return {data_, environments, components};
}

template <class T>
BatchView<T> Buffer<T>::view_by_component(int environments, int components) const {
  view(environments, components);
  return BatchView<T>::by_component(data_, environments, components);
}

template <class T>
void Buffer<T>::write(std::span<const T> values) {
  require_size("values", static_cast<int>(values.size()), static_cast<int>(size_));
  if (size_ == 0) return;
  const Current current(*device_);
  require_done(driver().to_device(data_, values.data(), values.size_bytes()), "copying to the device");
}

template <class T>
void Buffer<T>::read(std::span<T> values) const {
  require_size("values", static_cast<int>(values.size()), static_cast<int>(size_));
  if (size_ == 0) return;
  const Current current(*device_);
  require_done(driver().to_host(values.data(), data_, values.size_bytes()), "copying from the device");
}

template class Buffer<float>;
template class Buffer<double>;
template class Buffer<std::uint8_t>;
template class Buffer<std::int32_t>;

}  // namespace delassus::gpu
