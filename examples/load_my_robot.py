"""Loads a robot, yours (`load_my_robot.py my_robot.urdf`) or leg.urdf, and says what is in it. What the library does
not read of a file, and what in it is doubtful, stands in a report; what is wrong is an exception that says where and
what to do."""

import sys
from pathlib import Path

import delassus


def show(scene: delassus.Scene) -> None:
    model = scene.model
    print(f"{model.name}: {len(model.bodies)} bodies, nq {model.nq}, nv {model.nv}, {model.mass:.3f} kg")
    for joint in model.joints:
        place = model.v_slice(joint)
        print(f"  v[{place.start}:{place.stop}] {joint}, from {model.lower[place]} to {model.upper[place]}")
    print(scene.report, end="")  # as text; report.ignored and report.warnings are the same as lists


def mistake(text: str, right: str, wrong: str, **options: bool) -> str:
    """What the library says of a text that is wrong in one place."""
    assert right in text
    try:
        delassus.parse(text.replace(right, wrong, 1), "urdf", **options)
    except delassus.Error as error:
        return str(error)
    raise AssertionError(f"{wrong} was accepted")


if len(sys.argv) > 1:
    try:
        # MJCF, URDF and scenes are told apart by their content. A URDF does not say whether its base moves:
        # floating=True.
        show(delassus.load(sys.argv[1]))
    except delassus.Error as error:
        sys.exit(f"error: {error}")
    sys.exit()

file = Path(__file__).with_name("leg.urdf")
leg = delassus.load(file)
show(leg)
assert [entry.what for entry in leg.report.ignored] == ["link/visual"]
assert [warning.element for warning in leg.report.warnings] == ["link 'shank'"]

print("\nMistakes:")
text = file.read_text(encoding="utf-8")
messages = [
    mistake(text, '<parent link="thigh"/>', '<parent link="thihg"/>'),
    mistake(text, 'type="revolute"', 'type="hinge"'),
    mistake(text, 'mass value="2"', 'mass value="2kg"'),
    mistake(text, "shank", "shank", strict=True),  # a warning may be an error
]
print("\n".join(messages))
assert "did you mean 'thigh'?" in messages[0] and "joint 'hip_pitch'" in messages[1] and ":14:" in messages[2]
