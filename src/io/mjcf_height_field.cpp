// <hfield>: heights over a grid, from a file in MuJoCo's format or from the element itself.
#include <algorithm>
#include <bit>
#include <cctype>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include "io/little_endian.hpp"
#include "io/mjcf_assets.hpp"
#include "io/text_file.hpp"
#include "model/wording.hpp"

namespace delassus::io {
namespace {

namespace fs = std::filesystem;

constexpr int kMostPoints = 1 << 22;

void check_size(const XmlElement& element, double rows, double columns) {
  for (const double count : {rows, columns}) {
    if (!(count >= 2) || count != std::floor(count))
      element.fail(fmt::format("has {} rows and {} columns; it needs whole numbers of two or more", rows, columns));
  }
  if (rows * columns > kMostPoints)
    element.fail(fmt::format("has {} rows and {} columns; {} points are the most", rows, columns, kMostPoints));
}

/// Two numbers of 32 bits, rows and columns, and then as many of single precision, the row at low y first.
void read_heights(const XmlElement& element, const std::string& path, HeightGrid& grid) {
  constexpr std::size_t kHeader = 8, kNumber = 4;  // bytes
  const std::string data = read_text_file(path);
  if (data.size() < kHeader) element.fail(fmt::format("{}: has no number of rows and of columns", path));
  const auto rows = static_cast<std::int32_t>(little_endian(data, 0));
  const auto columns = static_cast<std::int32_t>(little_endian(data, kNumber));
  check_size(element, rows, columns);
  const std::size_t points = static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
  if (data.size() != kHeader + kNumber * points)
    element.fail(fmt::format("{}: has {} bytes, but {} rows of {} heights are {}; is it a height field of MuJoCo?",
                             path, data.size(), rows, columns, kHeader + kNumber * points));
  grid.rows = rows;
  grid.columns = columns;
  for (std::size_t i = 0; i < points; ++i) {
    grid.heights.push_back(std::bit_cast<float>(little_endian(data, kHeader + kNumber * i)));
    if (!std::isfinite(grid.heights.back())) element.fail(fmt::format("{}: height {} is not finite", path, i));
  }
}

bool is_png(const XmlElement& element, const std::string& path) {
  if (element.has("content_type")) return element.text("content_type") == "image/png";
  std::string ending = fs::path(path).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(), [](unsigned char c) { return std::tolower(c); });
  return ending == ".png";
}

/// False if there is no such file.
bool read_file(const XmlElement& element, const std::string& folder, HeightGrid& grid) {
  const std::string path = (fs::path(folder) / element.text("file")).string();
  if (is_png(element, path))
    element.fail(in_quotes(path) +
                 " is a picture, which is not read; save its heights as elevation, or in MuJoCo's binary format");
  for (const char* attribute : {"nrow", "ncol", "elevation"}) {
    if (element.has(attribute) && (attribute[0] == 'e' || element.number(attribute) != 0))
      element.fail(fmt::format("has both a file and {}; remove one", attribute));
  }
  std::error_code none;
  if (!fs::is_regular_file(path, none)) {
    element.ignore(" (its file is not there)");
    element.miss(std::string(element.text("file")), {path});
    return false;
  }
  read_heights(element, path, grid);
  return true;
}

/// The text stands as on a map: the row at high y first. Without elevation the field is flat.
void read_elevation(const XmlElement& element, HeightGrid& grid) {
  const double rows = element.number("nrow"), columns = element.number("ncol");
  check_size(element, rows, columns);
  grid.rows = static_cast<int>(rows);
  grid.columns = static_cast<int>(columns);
  const std::size_t width = static_cast<std::size_t>(grid.columns),
                    points = static_cast<std::size_t>(grid.rows) * width;
  grid.heights.assign(points, 0);
  if (!element.has("elevation")) return;
  const std::vector<double> numbers = element.all_numbers("elevation");
  if (numbers.size() != points)
    element.fail(
        fmt::format("{} numbers as elevation; give {}, for {} rows of {}", numbers.size(), points, rows, columns));
  for (std::size_t i = 0; i < points; ++i) grid.heights[points - width - i / width * width + i % width] = numbers[i];
}

/// To between zero and the scale; flat ones to zero.
void normalise(double scale, std::vector<double>& heights) {
  const auto [low, high] = std::minmax_element(heights.begin(), heights.end());
  const double lowest = *low, range = *high - *low;
  for (double& h : heights) h = range > 0 ? scale * ((h - lowest) / range) : 0;
}

}  // namespace

SurfacePointer read_mjcf_height_field(const MjcfNode& node, const std::string& folder) {
  const std::string label = mjcf_asset_label(node);
  const XmlElement element(*node.file, node.node, label);
  element.ignore_all_but({"name", "content_type", "file", "nrow", "ncol", "size", "elevation"}, {});
  const Vec<double, 4> size = element.vector<4>("size");
  for (const double x : size.a) {
    if (!(x > 0)) element.fail("has a size that is not above zero; give half x, half y, height and depth in metres");
  }
  HeightGrid grid;
  if (!element.has("file")) {
    read_elevation(element, grid);
  } else if (!read_file(element, folder, grid)) {
    return nullptr;
  }
  grid.half_x = size[0];
  grid.half_y = size[1];
  normalise(size[2], grid.heights);
  return make_height_field(std::move(grid), element.has("file") ? std::string(element.text("file")) : label);
}

}  // namespace delassus::io
