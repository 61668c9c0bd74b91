#include "model_arguments.hpp"

#include "delassus/model/builder.hpp"

namespace delassus::python {
namespace {

int index_in(py::handle index, std::string_view argument, std::size_t count) {
  if (count == 0) throw Error("argument '" + std::string(argument) + "': the model has none");
  return static_cast<int>(integer_from(index, argument, 0, count - 1));
}

}  // namespace

int frame_index(const Model& model, py::handle frame, std::string_view argument) {
  if (py::isinstance<py::str>(frame)) return model.find_frame(Convert<std::string>::from(frame, argument));
  if (!PyIndex_Check(frame.ptr())) throw_wrong_type(argument, frame, "the name or the index of a frame");
  return index_in(frame, argument, model.frames().size());
}

int body_index(const Model& model, py::handle body, std::string_view argument) {
  if (py::isinstance<py::str>(body)) return find_body(model, Convert<std::string>::from(body, argument));
  if (!PyIndex_Check(body.ptr())) throw_wrong_type(argument, body, "the name or the index of a body");
  return index_in(body, argument, model.description().bodies.size());
}

int link_index(const Model& model, py::handle joint, std::string_view argument) {
  if (py::isinstance<py::str>(joint)) return model.find_joint(Convert<std::string>::from(joint, argument));
  if (!PyIndex_Check(joint.ptr())) throw_wrong_type(argument, joint, "the name or the index of a joint");
  return index_in(joint, argument, static_cast<std::size_t>(model.num_links()));
}

Attachment attachment_of(const Model& model, py::handle place, std::string_view argument) {
  if (py::isinstance<Attachment>(place)) {
    const auto& out = place.cast<const Attachment&>();
    if (out.frame >= 0 && out.frame < static_cast<int>(model.frames().size())) return out;
    throw Error("argument '" + std::string(argument) + "' is an Attachment to frame " + std::to_string(out.frame) +
                "; model '" + model.name() + "' has frames 0 to " + std::to_string(model.frames().size() - 1));
  }
  return {frame_index(model, place, argument), Pose<double>::identity()};
}

}  // namespace delassus::python
