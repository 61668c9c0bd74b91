// Archives of arrays: those that numpy wrote (tests/corpus/contact_problem), our own, and what is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/mman.h>

#include <bit>
#include <limits>

#include "delassus/math/error.hpp"
#include "io/npz.hpp"
#include "io/text_file.hpp"
#include "unit/io/corpus.hpp"

namespace delassus::io {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string npz_seed(const std::string& name) {
  return read_text_file(DELASSUS_SOURCE_DIR "/tests/corpus/contact_problem/" + name);
}

/// What reading an array of some bytes says.
std::string npz_complaint(const std::string& bytes, const std::string& member) {
  try {
    NpzReader(bytes, "a.npz").read(member);
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

/// The numbers that were given to numpy.savez and numpy.savez_compressed.
TEST(Npz, ReadsWhatNumpyWrote) {
  for (const char* name : {"arrays_stored.npz", "arrays_deflated.npz"}) {
    SCOPED_TRACE(name);
    const NpzReader file(npz_seed(name), name);
    EXPECT_TRUE(file.has("whole"));
    EXPECT_FALSE(file.has("whole.npy"));
    EXPECT_THAT(file.read("whole").whole, ElementsAre(1, -2, 3));
    const NpzArray one = file.read("long");
    EXPECT_THAT(one.whole, ElementsAre(7));
    EXPECT_TRUE(one.shape.empty());
    const NpzArray real = file.read("real");
    EXPECT_TRUE(real.is_real);
    EXPECT_THAT(real.shape, ElementsAre(2, 3));
    EXPECT_THAT(real.real, ElementsAre(1.5, -2, std::numeric_limits<double>::infinity(), 0, 1e-300, 3));
    EXPECT_THAT(file.read("short").real, ElementsAre(0.25, -1));
    EXPECT_THAT(file.read("truth").whole, ElementsAre(1, 0, 1));
    EXPECT_THAT(file.read("columns").real, ElementsAre(1, 2));  // one column is the same by rows
    EXPECT_THAT(file.read("empty").shape, ElementsAre(0));
  }
}

TEST(Npz, ReadsWhatItWrote) {
  NpzWriter writer;
  writer.add("n", std::int64_t{-5});
  writer.add("dt", 1e-3);
  writer.add("x", std::vector<double>{0.1, -0.0, std::numeric_limits<double>::denorm_min()});
  writer.add("i", std::vector<std::int64_t>{std::numeric_limits<std::int64_t>::min(), 1});
  writer.add("none", std::vector<double>{});
  const NpzReader file(writer.finish(), "a.npz");
  EXPECT_THAT(file.read("n").whole, ElementsAre(-5));
  EXPECT_THAT(file.read("dt").real, ElementsAre(1e-3));
  EXPECT_THAT(file.read("x").real, ElementsAre(0.1, -0.0, std::numeric_limits<double>::denorm_min()));
  EXPECT_THAT(file.read("i").whole, ElementsAre(std::numeric_limits<std::int64_t>::min(), 1));
  EXPECT_EQ(file.read("none").size(), 0U);
}

TEST(Npz, KeepsShapes) {
  NpzWriter writer;
  writer.add("real", std::vector<double>{1, 2, 3, 4, 5, 6}, std::vector<std::int64_t>{3, 1, 2});
  writer.add("whole", std::vector<std::int64_t>{7, -8}, std::vector<std::int64_t>{2, 1});
  writer.add("none", std::vector<double>{}, std::vector<std::int64_t>{4, 0, 2});
  writer.add("folder/one", std::vector<double>{9}, std::vector<std::int64_t>{});
  const NpzReader file(writer.finish(), "a.npz");
  EXPECT_THAT(file.read("real").shape, ElementsAre(3, 1, 2));
  EXPECT_THAT(file.read("real").real, ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_THAT(file.read("whole").shape, ElementsAre(2, 1));
  EXPECT_THAT(file.read("whole").whole, ElementsAre(7, -8));
  EXPECT_THAT(file.read("none").shape, ElementsAre(4, 0, 2));
  EXPECT_TRUE(file.read("folder/one").shape.empty());
  EXPECT_THROW(writer.add("real", std::vector<double>{1, 2}, std::vector<std::int64_t>{3}), Error);
}

/// NaNs of every kind, and zeros of both signs.
TEST(Npz, KeepsBits) {
  std::vector<double> values;
  for (const std::uint64_t bits : {0x7FF8000000000000U, 0x7FF4000000000123U, 0xFFF8DEADBEEF0001U, 0x8000000000000000U})
    values.push_back(std::bit_cast<double>(bits));
  NpzWriter writer;
  writer.add("x", values);
  const NpzArray out = NpzReader(writer.finish(), "a.npz").read("x");
  for (std::size_t k = 0; k < values.size(); ++k)
    EXPECT_EQ(std::bit_cast<std::uint64_t>(out.real[k]), std::bit_cast<std::uint64_t>(values[k])) << k;
}

TEST(Npz, KeepsTexts) {
  NpzWriter writer;
  writer.add_text("one", "metres per second \u00b2");
  writer.add_text("empty", "");
  writer.add_texts("list", std::vector<std::string>{"a", "", "ccc", std::string("d\0e\0\0", 5)});
  writer.add_texts("none", std::vector<std::string>{});
  writer.add("number", 1.0);
  const NpzReader file(writer.finish(), "a.npz");
  EXPECT_THAT(file.read_texts("one"), ElementsAre("metres per second \u00b2"));
  EXPECT_THAT(file.read_texts("empty"), ElementsAre(""));
  EXPECT_THAT(file.read_texts("list"), ElementsAre("a", "", "ccc", std::string("d\0e", 3)));
  EXPECT_TRUE(file.read_texts("none").empty());
  EXPECT_THROW(file.read_texts("number"), Error);
  EXPECT_THROW(file.read_texts("nothing"), Error);
  EXPECT_THROW(file.read("one"), Error);
}

TEST(Npz, MapsFiles) {
  const io_test::TemporaryFolder folder;
  NpzWriter writer;
  writer.add_text("hash", "abc");
  writer.add("x", std::vector<double>{1, 2});
  const std::string path = folder.file("a.npz", writer.finish());
  const NpzReader file = NpzReader::map(path);
  EXPECT_THAT(file.read_texts("hash"), ElementsAre("abc"));
  EXPECT_THAT(file.read("x").real, ElementsAre(1, 2));
  EXPECT_THROW(NpzReader::map(folder.path("other.npz")), Error);
  EXPECT_THROW(NpzReader::map(folder.file("empty.npz", "")), Error);
  EXPECT_THROW(NpzReader::map(folder.path("")), Error);
}

/// An archive that ends at 4 GiB says so before it looks at what does not fit: these numbers are nowhere in memory.
TEST(Npz, EndsWhereZipDoes) {
  const std::size_t size = std::size_t{1} << 32U;
  void* const zeros = mmap(nullptr, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  ASSERT_NE(zeros, MAP_FAILED);
  NpzWriter writer;
  writer.add("small", 1.0);
  EXPECT_EQ(io_test::error_of([&] { writer.add("large", std::span(static_cast<const double*>(zeros), size / 8)); }),
            "'large' does not fit into an .npz file, which ends at 4 GiB and 65535 arrays; write less into one");
  EXPECT_THROW(writer.add_text("text", std::string_view(static_cast<const char*>(zeros), size - 200)), Error);
  munmap(zeros, size);
  EXPECT_THAT(NpzReader(writer.finish(), "a.npz").read("small").real, ElementsAre(1));
}

TEST(Npz, CountsItsMembers) {
  NpzWriter writer;
  for (std::size_t k = 0; k < kMostZipMembers; ++k) writer.add(std::to_string(k), static_cast<std::int64_t>(k));
  EXPECT_THROW(writer.add("one more", 1.0), Error);
  EXPECT_THAT(NpzReader(writer.finish(), "a.npz").read("65534").whole, ElementsAre(65534));
}

TEST(Npz, SaysWhatIsWrong) {
  EXPECT_EQ(npz_complaint("nothing", "n"), "a.npz: is no .npz file as numpy.savez writes it, or cut short");
  EXPECT_EQ(npz_complaint(npz_seed("cut_short.npz"), "n"),
            "a.npz: is no .npz file as numpy.savez writes it, or cut short");
  EXPECT_EQ(npz_complaint(npz_seed("sparse.npz"), "m"), "a.npz: 'm': is not in the file");
  EXPECT_EQ(
      npz_complaint(npz_seed("other_kind.npz"), "n"),
      "a.npz: 'n': has numbers of the kind '<U8'; bool, int32, int64, float32 and float64 are read, little endian");
  EXPECT_EQ(npz_complaint(npz_seed("lying_shape.npz"), "n"),
            "a.npz: 'n': has another number of bytes than its shape asks for");
  EXPECT_THAT(npz_complaint(npz_seed("many_dimensions.npz"), "n"), HasSubstr("its header"));
  EXPECT_EQ(npz_complaint(npz_seed("overlap.npz"), "n"), "a.npz: has members that overlap; the file is damaged");
  EXPECT_EQ(npz_complaint(npz_seed("lying_size.npz"), "n"),
            "a.npz: 'n': has another size than the directory says; the file is damaged");
  EXPECT_EQ(npz_complaint(npz_seed("lying_offset.npz"), "n"),
            "a.npz: 'n': is not where the directory says; the file is damaged");
}

/// Each byte of a member counts, be it stored or deflated. The last array is the last that is written.
TEST(Npz, SeesEveryChangedByte) {
  for (const char* name : {"step_stored.npz", "step_deflated.npz"}) {
    SCOPED_TRACE(name);
    const std::string whole = npz_seed(name);
    const std::size_t end = whole.find("PK\1\2"), start = whole.rfind("PK\3\4") + 30 + sizeof("bound.npy") - 1 + 20;
    for (std::size_t at = start; at < end; ++at) {
      std::string bytes = whole;
      bytes[at] = static_cast<char>(bytes[at] ^ 1);  // the last byte of deflate has bits that nobody reads, the highest
      EXPECT_NE(npz_complaint(bytes, "bound"), "none") << at - start << " of " << end - start;
    }
  }
}

/// Cut anywhere, a file is refused.
TEST(Npz, RefusesEveryBeginning) {
  const std::string whole = npz_seed("sparse.npz");
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_NE(npz_complaint(whole.substr(0, size), "n"), "none") << size;
  }
}

/// 800 kB in one are read; what would be more than 64 MiB in all is refused before any of it is unpacked.
TEST(Npz, BoundsWhatIsUnpacked) {
  const std::string bomb = npz_seed("bomb.npz");
  EXPECT_EQ(NpzReader(bomb, "a.npz").read("n").size(), 100'000U);
  std::string larger = bomb;
  const std::size_t entry = larger.find("PK\1\2");
  larger.replace(entry + 24, 4, std::string("\0\0\0\5", 4));  // 80 MiB
  EXPECT_EQ(npz_complaint(larger, "n"),
            "a.npz: 'n': with it the file has more than 64 MiB unpacked, which is the limit");
}

}  // namespace
}  // namespace delassus::io
