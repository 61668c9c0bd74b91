// delassus.Recording: a motion that is being watched, as a page and as pictures.
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "arrays.hpp"
#include "bindings.hpp"
#include "convert.hpp"
#include "recording_object.hpp"

namespace delassus::python {
namespace {

constexpr int kMostPixels = 8192;  // a side

int side_from(const py::object& pixels, const char* argument) {
  const auto out = Convert<int>::from(pixels, argument);
  if (out < 1 || out > kMostPixels)
    throw Error("argument '" + std::string(argument) + "' is " + std::to_string(out) + "; give 1 to " +
                std::to_string(kMostPixels) + " pixels");
  return out;
}

/// One that sees all, unless given.
std::optional<cli::Camera> camera_from(const py::object& eye, const py::object& target) {
  if (eye.is_none() != target.is_none()) throw Error("give both 'eye' and 'target', or none of them");
  if (eye.is_none()) return std::nullopt;
  cli::Camera out;
  out.eye = Convert<Vec3<double>>::from(eye, "eye");
  out.target = Convert<Vec3<double>>::from(target, "target");
  return out;
}

int frame_from(const RecordingObject& self, const py::object& frame) {
  const auto given = Convert<int>::from(frame, "frame"), count = self.num_frames();
  if (given < -count || given >= count)
    throw Error("argument 'frame' is " + std::to_string(given) + ", and there are " + std::to_string(count) +
                " frames");
  return given < 0 ? given + count : given;
}

py::array_t<std::uint8_t> image(RecordingObject& self, const py::object& frame, const py::object& width,
                                const py::object& height, const py::object& eye, const py::object& target) {
  const int k = frame_from(self, frame), w = side_from(width, "width"), h = side_from(height, "height");
  const std::optional<cli::Camera> camera = camera_from(eye, target);
  py::array_t<std::uint8_t> out({h, w, 3});
  const std::span<std::uint8_t> rgb(out.mutable_data(), static_cast<std::size_t>(out.size()));
  const py::gil_scoped_release release;
  self.paint(k, w, h, camera, rgb);
  return out;
}

/// One after the other, as they are asked for: a minute of them would not fit into memory.
py::object images(RecordingObject& self, const py::object& width, const py::object& height, const py::object& eye,
                  const py::object& target) {
  side_from(width, "width");
  side_from(height, "height");
  camera_from(eye, target);
  const py::module_ builtins = py::module_::import("builtins");
  const py::cpp_function one([kept = self.shared_from_this(), width, height, eye, target](const py::object& frame) {
    return image(*kept, frame, width, height, eye, target);
  });
  return builtins.attr("map")(one, builtins.attr("range")(self.num_frames()));
}

std::string page(RecordingObject& self) {
  const py::gil_scoped_release release;
  return self.page();
}

void save(RecordingObject& self, const py::object& path) {
  const std::string text = page(self);
  py::module_::import("pathlib").attr("Path")(path).attr("write_text")(text, py::arg("encoding") = "utf-8");
}

}  // namespace

void bind_recording(py::module_& m) {
  py::class_<RecordingObject, std::shared_ptr<RecordingObject>> c(
      m, "Recording",
      "A motion that is watched, by record() of a Simulator or a VectorSimulator: their steps add frames to it, until\n"
      "stop() or until it is deleted. Its time begins at 0 and goes on with the steps, whatever is reset or restored.");
  c.def("__len__", [](const RecordingObject& self) { return self.num_frames(); });
  c.def_property_readonly(
      "times", [](const RecordingObject& self) { return Convert<std::vector<double>>::to(self.times()); },
      "Seconds, of each frame.");
  c.def(
      "stop", [](RecordingObject& self) { self.stop(); }, "Steps add no more frames.");
  c.def("html", page,
        "The page that plays it, as text: one file that needs no other. Raises Error where the package was built "
        "without the\n"
        "viewer (no npm).");
  c.def("save", save, py::arg("path"), "Writes html() to a file.");
  c.def("image", image, py::arg("frame"), py::arg("width") = 640, py::arg("height") = 480, py::arg("eye") = py::none(),
        py::arg("target") = py::none(),
        "A picture of a frame, uint8 (height, width, 3), drawn by the processor. eye, target: where the camera is and "
        "what it\n"
        "looks at, m; unless given, all of the motion so far is in the picture.");
  c.def("images", images, py::arg("width") = 640, py::arg("height") = 480, py::arg("eye") = py::none(),
        py::arg("target") = py::none(), "An iterator over the pictures of all frames, for videos.");
}

}  // namespace delassus::python
