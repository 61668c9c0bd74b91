// STL and OBJ: what is read, and what is said of files that are wrong.
#include "delassus/io/load.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "unit/io/corpus.hpp"

namespace delassus::testing {
namespace {

using io_test::error_of;

/// Two triangles of a unit square, with four corners between them.
const Vec3<double> kSquare[2][3] = {{{{0, 0, 0}}, {{1, 0, 0}}, {{1, 1, 0}}}, {{{0, 0, 0}}, {{1, 1, 0}}, {{0, 1, 0}}}};

std::string binary_stl(std::uint32_t count = 2, const char* header = "") {
  std::string out(80, '\0');
  std::memcpy(out.data(), header, std::strlen(header));
  const auto put = [&](const void* bytes, std::size_t size) { out.append(static_cast<const char*>(bytes), size); };
  put(&count, 4);
  for (const auto& triangle : kSquare) {
    const float normal[3] = {0, 0, 1};
    put(normal, 12);
    for (const Vec3<double>& x : triangle) {
      const float corner[3] = {float(x[0]), float(x[1]), float(x[2])};
      put(corner, 12);
    }
    out.append(2, '\0');
  }
  return out;
}

std::string text_stl() {
  std::string out = "solid square\n";
  for (const auto& triangle : kSquare) {
    out += " facet normal 0 0 1\n  outer loop\n";
    for (const Vec3<double>& x : triangle)
      out += "   vertex " + std::to_string(x[0]) + " " + std::to_string(x[1]) + " " + std::to_string(x[2]) + "\n";
    out += "  endloop\n endfacet\n";
  }
  return out + "endsolid\n";
}

const std::string kObj = "# a square\nv 0 0 0\nv 1 0 0\nvn 0 0 1\nv 1 1 0\nv 0 1 0\nf 1//1 2//1 3//1 -1\n";

TEST(SurfaceFile, SameSquareFromEachFormat) {
  const SurfacePointer binary = parse_stl(binary_stl(), "a.stl"), text = parse_stl(text_stl(), "b.stl"),
                       obj = parse_obj(kObj, "c.obj"), named = parse_stl(binary_stl(2, "solid"), "d.stl");
  ASSERT_EQ(binary->vertices().size(), 4U);  // corners that coincide are one
  EXPECT_EQ(binary->triangles()[1], (Triangle{0, 2, 3}));
  for (const SurfacePointer& other : {text, obj, named}) EXPECT_EQ(*binary, *other) << other->source();
  EXPECT_EQ(binary->source(), "a.stl");
}

TEST(SurfaceFile, ScaleThatMirrorsKeepsOutside) {
  const SurfacePointer mirrored = parse_obj(kObj, "c.obj", {{1, -2, 1}});
  EXPECT_EQ(mirrored->low(), (Vec3<double>{{0, -2, 0}}));
  EXPECT_EQ(mirrored->triangles()[0], (Triangle{0, 2, 1}));
}

TEST(SurfaceFile, ErrorsNamePlaceAndRemedy) {
  const auto stl = [](const std::string& data) { return error_of([&] { parse_stl(data, "a.stl"); }); };
  const auto obj = [](const std::string& data) { return error_of([&] { parse_obj(data, "a.obj"); }); };
  EXPECT_EQ(stl(binary_stl(3)),
            "a.stl: byte 80: says that 3 triangles follow, but there are 2; the file is cut short, or no STL");
  EXPECT_EQ(stl("abc"), "a.stl: has 3 bytes, and an STL file has at least 84; it is cut short, or no STL");
  EXPECT_EQ(stl("solid\nvertex 1 2\n"), "a.stl:2: 'vertex' needs three numbers");
  EXPECT_EQ(stl("solid\nendloop\n"), "a.stl:2: a loop of 0 vertices; STL has triangles");
  EXPECT_EQ(obj("v 0 0 0\nf 1 2 3\n"), "a.obj:2: the face names vertex 2, and 1 stand before it");
  EXPECT_EQ(obj("v 0 0 0\nf 1 x 3\n"), "a.obj:2: 'x' is no corner of a face; give the number of a vertex, from 1");
  EXPECT_EQ(obj("# nothing\n"), "a.obj: has no triangles; export the mesh again, as STL or OBJ");
  EXPECT_EQ(error_of([] { load_surface("part.dae"); }),
            "part.dae: surfaces are read from .stl and .obj files; convert it to one of them");
  EXPECT_EQ(error_of([] {
              parse_obj(kObj, "a.obj", {{1, 0, 1}});
            }),
            "a.obj: its scale has a zero or is not finite; give factors such as 0.001 0.001 0.001");
}

/// Cut anywhere, a file is read or refused; nothing else happens.
TEST(SurfaceFile, CutFilesAreRefused) {
  const std::string binary = binary_stl(), text = text_stl();
  for (std::size_t size = 0; size < binary.size(); ++size)
    EXPECT_THROW(parse_stl(std::string_view(binary).substr(0, size), "a.stl"), Error) << size;
  for (std::size_t size = 0; size < text.size(); ++size) {
    try {
      EXPECT_LE(parse_stl(std::string_view(text).substr(0, size), "a.stl")->triangles().size(), 2U);
    } catch (const Error&) {
    }
  }
}

}  // namespace
}  // namespace delassus::testing
