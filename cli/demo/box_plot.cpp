#include "cli/demo/box_plot.hpp"

#include "cli/demo/box_document.hpp"
#include "cli/shell/python_plot.hpp"

namespace delassus::cli {
namespace {

/// Each shape is the outline of its points, and those nearer to the eye are drawn later. Above, stills at equal times of the motion;
/// below, the position of the box.
constexpr const char* kScript = R"py(
import math

STILLS = 6
RIGHT, UP, EYE = (-0.56, 0.83, 0), (-0.25, -0.17, 0.95), (0.79, 0.53, 0.3)


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def rotated(q, v):
    t = [2 * (q[1] * v[2] - q[2] * v[1]), 2 * (q[2] * v[0] - q[0] * v[2]), 2 * (q[0] * v[1] - q[1] * v[0])]
    return [v[0] + q[3] * t[0] + q[1] * t[2] - q[2] * t[1], v[1] + q[3] * t[1] + q[2] * t[0] - q[0] * t[2],
            v[2] + q[3] * t[2] + q[0] * t[1] - q[1] * t[0]]


def sphere(radius, z=0.0):
    turns = [math.pi * k / 8 for k in range(16)]
    return [(radius * math.cos(a) * math.sin(b), radius * math.sin(a) * math.sin(b), z + radius * math.cos(b))
            for a in turns for b in turns[:9]]


def faces(shape):
    """Parts that are drawn as one outline each: of a box its six sides."""
    size = shape["size"]
    if shape["kind"] == "capsule":
        return [sphere(size[0], -size[1]) + sphere(size[0], size[1])]
    if shape["kind"] == "sphere":
        return [sphere(size[0])]
    signs = (-1, 1)
    corners = [(x * size[0], y * size[1], z * size[2]) for x in signs for y in signs for z in signs]
    return [[c for c in corners if c[axis] * sign > 0] for axis in range(3) for sign in signs]


def outline(points):
    """The convex hull, from the lowest point on."""
    def half(ordered):
        chain = []
        for p in ordered:
            while len(chain) > 1 and ((chain[-1][0] - chain[-2][0]) * (p[1] - chain[-2][1])
                                      <= (chain[-1][1] - chain[-2][1]) * (p[0] - chain[-2][0])):
                chain.pop()
            chain.append(p)
        return chain[:-1]
    ordered = sorted(set(points))
    return half(ordered) + half(ordered[::-1])


def still(axes, frame):
    drawn = []
    for shape in study["drawing"]["shapes"]:
        at = 7 * shape["body"]
        position, turn = frame[at:at + 3], frame[at + 3:at + 7]
        R, p = shape["R"], shape["p"]
        for face in faces(shape):
            world = [[a + b for a, b in zip(position, rotated(turn, [p[r] + dot(R[3 * r:3 * r + 3], x) for r in range(3)]))]
                     for x in face]
            seen = [(round(dot(RIGHT, x), 4), round(dot(UP, x), 4)) for x in world]
            is_box = shape["body"] == study["drawing"]["shapes"][-1]["body"]
            drawn.append((sum(dot(EYE, x) for x in world) / len(world), outline(seen), is_box))
    for depth, points, is_box in sorted(drawn, key=lambda d: d[0]):
        axes.add_patch(plt.Polygon(points, facecolor="#d9a766" if is_box else "#9db4cb", edgecolor="#3b4a5a", linewidth=0.5))
    floor = [(0.75, -0.45, 0), (0.75, 0.45, 0), (-0.25, 0.45, 0), (-0.25, -0.45, 0)]
    axes.add_patch(plt.Polygon([(dot(RIGHT, x), dot(UP, x)) for x in floor], facecolor="#eef1f4", edgecolor="#c5ccd4",
                               linewidth=0.5, zorder=0))
    axes.set(xlim=(-0.8, 0.5), ylim=(-0.28, 1.72), aspect="equal")
    axes.axis("off")


run = study["runs"][0]
curves = run["curves"]
frames = study["drawing"]["runs"][0]
rate = study["drawing"]["frames_per_second"]
figure = plt.figure(figsize=(11, 6))
grid = figure.add_gridspec(2, STILLS, height_ratios=(1.15, 1))
moving = min(len(frames) - 1, round(study["setup"]["moving_s"] * rate))
for k in range(STILLS):
    axes = figure.add_subplot(grid[0, k])
    at = round(k * moving / (STILLS - 1))
    still(axes, frames[at])
    axes.set_title(f"{at / rate:.1f} s", fontsize=9)
for k, axis in enumerate("xyz"):
    axes = figure.add_subplot(grid[1, 2 * k:2 * k + 2])
    axes.plot(curves["t"], curves["desired_m"][k], color="#d55e00", linestyle="--", linewidth=2.5, label="desired")
    axes.plot(curves["t"], curves["box_m"][k], color="#0072b2", linewidth=1.2, label="box")
    axes.set(title=axis, xlabel="s", ylabel="m" if k == 0 else "")
    middle = sum(axes.get_ylim()) / 2
    if axes.get_ylim()[1] - axes.get_ylim()[0] < 0.1:
        axes.set_ylim(middle - 0.05, middle + 0.05)
    axes.grid(True, alpha=0.25)
    if k == 0:
        axes.legend(loc="lower right")
figure.suptitle(f"{study['setup']['robot']} puts a box of {study['setup']['box_kg']:g} kg on the floor", fontsize=10)
)py";

}  // namespace

void plot(const BoxResult& result, const std::string& path) {
  nlohmann::json study = document_of(result);
  study["drawing"] = drawing_of(result);
  draw(kScript, study, path);
}

}  // namespace delassus::cli
