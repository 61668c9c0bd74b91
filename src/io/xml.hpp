// Reading XML with line numbers, typed attributes, and account of what was not read.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <pugixml.hpp>

#include "delassus/math/mat.hpp"
#include "io/report_builder.hpp"
#include "io/text_file.hpp"

namespace delassus::io {

/// A well-formed XML document of bounded size and depth.
class XmlFile {
 public:
  /// Throws an Error for what is not well-formed.
  XmlFile(std::string_view raw, std::string name);
  XmlFile(const XmlFile&) = delete;  // the line table points into the text
  XmlFile& operator=(const XmlFile&) = delete;

  pugi::xml_node top() const { return document_.document_element(); }
  const std::string& name() const { return name_; }
  int line(pugi::xml_node node) const;
  ReportBuilder& report() { return report_; }

  /// Throws an Error `file:line: element: message`.
  [[noreturn]] void fail(int line, std::string_view element, std::string_view message) const;

 private:
  void require_plain_text() const;
  void parse();
  void require_shallow() const;

  std::string name_;
  std::string text_;
  LineTable lines_;
  ReportBuilder report_;
  pugi::xml_document document_;
};

/// One element, read on behalf of an owner such as "joint 'knee'", which messages name. The owner's string
/// must outlive it.
class XmlElement {
 public:
  XmlElement(XmlFile& file, pugi::xml_node node, std::string_view owner) : file_(&file), node_(node), owner_(owner) {}

  std::string_view tag() const { return node_.name(); }
  int line() const { return file_->line(node_); }
  const std::string& file_name() const { return file_->name(); }
  [[noreturn]] void fail(std::string_view message) const { file_->fail(line(), owner_, message); }
  void warn(std::string message) const { file_->report().warn(std::string(owner_), line(), std::move(message)); }

  /// Reports that a file which it names is not there.
  void miss(const std::string& name, std::vector<std::string> tried) const {
    file_->report().miss(name, line(), std::move(tried));
  }

  bool has(const char* attribute) const { return !node_.attribute(attribute).empty(); }
  std::string_view text(const char* attribute) const;
  double number(const char* attribute) const;
  double number_or(const char* attribute, double fallback) const;
  template <int N>
  Vec<double, N> vector(const char* attribute) const {
    Vec<double, N> out;
    numbers(attribute, out.a, N);
    return out;
  }
  template <int N>
  Vec<double, N> vector_or(const char* attribute, const Vec<double, N>& fallback) const {
    return has(attribute) ? vector<N>(attribute) : fallback;
  }

  /// Reads as many numbers as there are, from one to `most`, and says how many.
  int numbers_up_to(const char* attribute, double* out, int most) const;

  /// Reads all of them, however many.
  std::vector<double> all_numbers(const char* attribute) const;

  /// The child of that name. A second one is not read, and warned of.
  std::optional<XmlElement> child(const char* name) const;
  XmlElement required_child(const char* name) const;
  template <class Visit>
  void each_child(const char* name, Visit visit) const {
    for (const pugi::xml_node node : node_.children(name)) visit(XmlElement(*file_, node, owner_));
  }
  template <class Visit>
  void each_child(Visit visit) const {
    for (const pugi::xml_node node : node_.children()) {
      if (node.type() == pugi::node_element) visit(XmlElement(*file_, node, owner_));
    }
  }

  /// Reports this element as not read.
  /// The hint says what was perhaps meant.
  void ignore(std::string_view hint = "") const { file_->report().ignore(path().append(hint), line()); }
  void ignore_attribute(std::string_view name, std::string_view hint = "") const;
  /// Reports all attributes but these as not read. An attribute must not stand twice.
  void ignore_attributes_but(std::initializer_list<std::string_view> attributes) const;
  /// Reports all attributes and children but these as not read.
  void ignore_all_but(std::initializer_list<std::string_view> attributes,
                      std::initializer_list<std::string_view> children) const;

 private:
  std::string path() const;
  double number_at(std::string_view word, const char* attribute) const;
  void numbers(const char* attribute, double* out, int count) const;

  XmlFile* file_;
  pugi::xml_node node_;
  std::string_view owner_;
};

}  // namespace delassus::io
