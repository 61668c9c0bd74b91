# Types of the compiled module. tests/test_package.py holds this file to the module.
import os
from typing import Any, Final, Iterable, Iterator, Literal, Mapping, Sequence, Union, overload

import numpy as np
import numpy.typing as npt
from delassus._derivatives import ConstrainedDerivatives
from scipy.sparse.linalg import LinearOperator  # type: ignore[import]
from typing_extensions import Self

_Array = npt.NDArray[np.float64]
_BatchArray = npt.NDArray[np.floating[Any]]  # float64 or float32, as the batch is
_Frame = Union[str, int]
_Body = Union[str, int]
_Joint = Union[str, int]
_Place = Union[str, int, "Attachment"]

__version__: str

class _Value:
    """What does not change: equal if all of its fields are."""

    __match_args__: tuple[str, ...]
    def replace(self, **changes: Any) -> Self: ...
    def __eq__(self, other: object) -> bool: ...

# ------------------------------------------------------------------------------------------------ model

class Pose(_Value):
    def __init__(self, p: npt.ArrayLike = ..., R: npt.ArrayLike = ...) -> None: ...
    p: Final[_Array]
    R: Final[_Array]
    @staticmethod
    def from_rpy(p: npt.ArrayLike, rpy: npt.ArrayLike) -> Pose: ...
    def inverse(self) -> Pose: ...
    @overload
    def __mul__(self, other: Pose) -> Pose: ...
    @overload
    def __mul__(self, other: npt.ArrayLike) -> _Array: ...

class Inertial(_Value):
    def __init__(self, mass: float = ..., com: npt.ArrayLike = ..., inertia: npt.ArrayLike = ...) -> None: ...
    mass: Final[float]
    com: Final[_Array]
    inertia: Final[_Array]

class Dof(_Value):
    def __init__(
        self,
        lower: float = ...,
        upper: float = ...,
        velocity_limit: float = ...,
        effort_limit: float = ...,
        armature: float = ...,
        damping: float = ...,
        friction_loss: float = ...,
        stiffness: float = ...,
        spring_reference: float = ...,
        reference: float = ...,
    ) -> None: ...
    lower: Final[float]
    upper: Final[float]
    velocity_limit: Final[float]
    effort_limit: Final[float]
    armature: Final[float]
    damping: Final[float]
    friction_loss: Final[float]
    stiffness: Final[float]
    spring_reference: Final[float]
    reference: Final[float]

class Joint(_Value):
    def __init__(
        self,
        name: str = ...,
        kind: str = ...,
        axis: npt.ArrayLike = ...,
        placement: Pose = ...,
        axis2: npt.ArrayLike = ...,
        pitch: float = ...,
        dofs: Sequence[Dof] = ...,
    ) -> None: ...
    name: Final[str]
    kind: Final[str]
    axis: Final[_Array]
    placement: Final[Pose]
    axis2: Final[_Array]
    pitch: Final[float]
    dofs: Final[tuple[Dof, ...]]

class Body(_Value):
    def __init__(
        self,
        name: str = ...,
        parent: int = ...,
        joints: Sequence[Joint] = ...,
        placement: Pose = ...,
        inertial: Inertial = ...,
    ) -> None: ...
    name: Final[str]
    parent: Final[int]
    joints: Final[tuple[Joint, ...]]
    placement: Final[Pose]
    inertial: Final[Inertial]

class Surface:
    def __init__(self, vertices: npt.ArrayLike, triangles: npt.ArrayLike) -> None: ...
    @staticmethod
    def from_heights(heights: npt.ArrayLike, half_x: float, half_y: float) -> Surface: ...
    @staticmethod
    def hull(points: npt.ArrayLike) -> Surface: ...
    @staticmethod
    def load(path: str | os.PathLike[str], scale: npt.ArrayLike = ...) -> Surface: ...
    vertices: Final[_Array]
    triangles: Final[npt.NDArray[np.int32]]
    @property
    def heights(self) -> _Array | None: ...
    low: Final[_Array]
    high: Final[_Array]
    source: Final[str]
    def __eq__(self, other: object) -> bool: ...

class Shape(_Value):
    def __init__(
        self,
        name: str = ...,
        body: int = ...,
        kind: str = ...,
        size: npt.ArrayLike = ...,
        placement: Pose = ...,
        friction: npt.ArrayLike = ...,
        condim: int = ...,
        surface: Surface | None = ...,
    ) -> None: ...
    name: Final[str]
    body: Final[int]
    kind: Final[str]
    size: Final[_Array]
    placement: Final[Pose]
    friction: Final[_Array]
    condim: Final[int]
    surface: Final[Surface | None]

class Keyframe(_Value):
    def __init__(self, name: str = ..., q: npt.ArrayLike = ..., v: npt.ArrayLike = ...) -> None: ...
    name: Final[str]
    q: Final[_Array]
    v: Final[_Array]

class Model:
    name: Final[str]
    nq: Final[int]
    nv: Final[int]
    num_links: Final[int]
    depth: Final[int]
    mass: Final[float]
    gravity: Final[_Array]
    bodies: Final[tuple[Body, ...]]
    shapes: Final[tuple[Shape, ...]]
    keyframes: Final[tuple[Keyframe, ...]]
    frames: Final[tuple[str, ...]]
    joints: Final[tuple[str, ...]]
    link_parents: Final[tuple[int, ...]]
    armature: Final[_Array]
    lower: Final[_Array]
    upper: Final[_Array]
    def find_frame(self, frame: _Frame) -> int: ...
    def find_joint(self, joint: _Joint) -> int: ...
    def link_of_frame(self, frame: _Frame) -> int: ...
    def q_slice(self, joint: _Joint) -> slice: ...
    def v_slice(self, joint: _Joint) -> slice: ...
    def neutral(self) -> _Array: ...
    def integrate(self, q: _Array, v: _Array, out: _Array | None = ...) -> _Array: ...
    def difference(self, q0: _Array, q1: _Array, out: _Array | None = ...) -> _Array: ...
    def normalise(self, q: _Array) -> None: ...
    def with_mass(
        self, body: _Body, mass: float, *, com: npt.ArrayLike | None = ..., inertia: npt.ArrayLike | None = ...
    ) -> Model: ...
    def __eq__(self, other: object) -> bool: ...

class ModelBuilder:
    def __init__(self, name: str, gravity: npt.ArrayLike | None = ...) -> None: ...
    def add_body(
        self, name: str, parent: str | int, joints: Joint | Sequence[Joint] | None, inertial: Inertial
    ) -> int: ...
    def add_fixed_body(
        self, name: str, parent: str | int, placement: Pose | None = ..., inertial: Inertial | None = ...
    ) -> int: ...
    def add_frame(self, name: str, body: str | int, placement: Pose | None = ...) -> None: ...
    def add_shape(self, shape: Shape) -> None: ...
    def make_model(self) -> Model: ...

def box_inertial(mass: float, half_extents: npt.ArrayLike, com: npt.ArrayLike | None = ...) -> Inertial: ...
def sphere_inertial(mass: float, radius: float, com: npt.ArrayLike | None = ...) -> Inertial: ...
def cylinder_inertial(
    mass: float, radius: float, half_length: float, com: npt.ArrayLike | None = ...
) -> Inertial: ...
def append_model(
    host: Model, part: Model, frame: str = ..., placement: Pose | None = ..., prefix: str = ...
) -> Model: ...

# ------------------------------------------------------------------------------------------ constraints

class ForceSet(_Value):
    def __init__(
        self,
        kind: str = ...,
        bound: float = ...,
        mu: float = ...,
        mu_torsion: float = ...,
        mu_rolling: float = ...,
        mu_across: float = ...,
    ) -> None: ...
    kind: Final[str]
    bound: Final[float]
    mu: Final[float]
    mu_torsion: Final[float]
    mu_rolling: Final[float]
    mu_across: Final[float]

class Attachment(_Value):
    def __init__(self, model: Model, frame: _Frame, offset: Pose | None = ...) -> None: ...
    frame: Final[int]
    offset: Final[Pose]

class PointContact(_Value):
    def __init__(
        self,
        model: Model,
        frame: _Place,
        point: npt.ArrayLike | None = ...,
        *,
        other: _Frame = ...,
        normal: npt.ArrayLike | None = ...,
        gap: float = ...,
        kind: str = ...,
        set: ForceSet | None = ...,
        name: str | None = ...,
    ) -> None: ...
    name: Final[str]
    a: Final[Attachment]
    b: Final[int]
    axes: Final[_Array]
    gap: Final[float]
    kind: Final[str]
    set: Final[ForceSet]
    num_rows: Final[int]
    kind_name: Final[str]

class LoopClosure(_Value):
    def __init__(
        self,
        model: Model,
        first: _Place,
        second: _Place,
        *,
        free_linear: str = ...,
        free_angular: str = ...,
        axes: str = ...,
        set: ForceSet | None = ...,
        name: str | None = ...,
    ) -> None: ...
    name: Final[str]
    first: Final[Attachment]
    second: Final[Attachment]
    free_linear: Final[str]
    free_angular: Final[str]
    axes: Final[str]
    set: Final[ForceSet]
    num_rows: Final[int]
    kind_name: Final[str]

class Distance(_Value):
    def __init__(
        self,
        model: Model,
        first: _Place,
        second: _Place,
        length: float,
        *,
        set: ForceSet | None = ...,
        name: str | None = ...,
    ) -> None: ...
    name: Final[str]
    first: Final[Attachment]
    second: Final[Attachment]
    length: Final[float]
    set: Final[ForceSet]
    num_rows: Final[int]
    kind_name: Final[str]

class JointLimit(_Value):
    def __init__(
        self,
        model: Model,
        joint: _Joint,
        bound: float,
        *,
        upper: bool = ...,
        dof: int = ...,
        set: ForceSet | None = ...,
        name: str | None = ...,
    ) -> None: ...
    name: Final[str]
    link: Final[int]
    dof: Final[int]
    upper: Final[bool]
    bound: Final[float]
    set: Final[ForceSet]
    num_rows: Final[int]
    kind_name: Final[str]

class JointFriction(_Value):
    def __init__(
        self, model: Model, joint: _Joint, bound: float, *, dof: int = ..., name: str | None = ...
    ) -> None: ...
    name: Final[str]
    link: Final[int]
    dof: Final[int]
    set: Final[ForceSet]
    num_rows: Final[int]
    kind_name: Final[str]

class JointCoupling(_Value):
    def __init__(
        self,
        model: Model,
        terms: Mapping[_Joint, float] | Iterable[tuple[_Joint, int, float]],
        *,
        offset: float = ...,
        set: ForceSet | None = ...,
        name: str | None = ...,
    ) -> None: ...
    name: Final[str]
    terms: Final[tuple[tuple[int, int, float], ...]]
    offset: Final[float]
    set: Final[ForceSet]
    num_rows: Final[int]
    kind_name: Final[str]

class JointPolynomial(_Value):
    def __init__(
        self,
        model: Model,
        joint: _Joint,
        other: _Joint | None = ...,
        coefficients: npt.ArrayLike = ...,
        *,
        dof: int = ...,
        other_dof: int = ...,
        set: ForceSet | None = ...,
        name: str | None = ...,
    ) -> None: ...
    name: Final[str]
    link: Final[int]
    dof: Final[int]
    other_link: Final[int]
    other_dof: Final[int]
    coefficients: Final[_Array]
    set: Final[ForceSet]
    num_rows: Final[int]
    kind_name: Final[str]

class CentreOfMass(_Value):
    def __init__(
        self,
        model: Model,
        target: npt.ArrayLike | None = ...,
        *,
        set: ForceSet | None = ...,
        name: str | None = ...,
    ) -> None: ...
    name: Final[str]
    target: Final[_Array]
    set: Final[ForceSet]
    num_rows: Final[int]
    kind_name: Final[str]

class CustomRows(_Value):
    def __init__(
        self,
        model: Model,
        rows: int,
        *,
        bodies: Mapping[_Frame, npt.ArrayLike] | None = ...,
        dofs: Mapping[int, npt.ArrayLike] | None = ...,
        position: npt.ArrayLike | None = ...,
        set: ForceSet | None = ...,
        name: str | None = ...,
    ) -> None: ...
    name: Final[str]
    rows: Final[int]
    bodies: Final[tuple[tuple[int, _Array], ...]]
    dofs: Final[tuple[tuple[int, _Array], ...]]
    position: Final[_Array]
    set: Final[ForceSet]
    num_rows: Final[int]
    kind_name: Final[str]

Constraint = Union[
    PointContact,
    LoopClosure,
    Distance,
    JointLimit,
    JointFriction,
    JointCoupling,
    CentreOfMass,
    CustomRows,
    JointPolynomial,
]

def joint_limits(model: Model) -> tuple[JointLimit, ...]: ...
def joint_friction(model: Model, otherwise: float = ...) -> tuple[JointFriction, ...]: ...
def ground_contacts(model: Model, q: npt.ArrayLike, margin: float = ...) -> tuple[PointContact, ...]: ...
def welds_to_world(model: Model, q: npt.ArrayLike, frames: Iterable[str]) -> tuple[LoopClosure, ...]: ...
def pins_to_world(model: Model, q: npt.ArrayLike, frames: Iterable[str]) -> tuple[LoopClosure, ...]: ...
def constraint_links(model: Model, constraint: Constraint) -> tuple[int, ...]: ...

# ------------------------------------------------------------------------------------------------ scene

class Ignored(_Value):
    def __init__(self, what: str = ..., line: int = ..., count: int = ...) -> None: ...
    what: Final[str]
    line: Final[int]
    count: Final[int]

class ReportWarning(_Value):
    def __init__(self, element: str = ..., line: int = ..., message: str = ...) -> None: ...
    element: Final[str]
    line: Final[int]
    message: Final[str]

class MissingFile(_Value):
    def __init__(self, name: str = ..., line: int = ..., tried: Sequence[str] = ...) -> None: ...
    name: Final[str]
    line: Final[int]
    tried: Final[tuple[str, ...]]

class LoadReport(_Value):
    def __init__(
        self,
        file: str = ...,
        ignored: Sequence[Ignored] = ...,
        warnings: Sequence[ReportWarning] = ...,
        more_ignored: int = ...,
        more_warnings: int = ...,
        missing: Sequence[MissingFile] = ...,
        more_missing: int = ...,
        files: Sequence[str] = ...,
    ) -> None: ...
    file: Final[str]
    ignored: Final[tuple[Ignored, ...]]
    warnings: Final[tuple[ReportWarning, ...]]
    more_ignored: Final[int]
    more_warnings: Final[int]
    missing: Final[tuple[MissingFile, ...]]
    more_missing: Final[int]
    files: Final[tuple[str, ...]]

class Scene:
    def __init__(
        self,
        model: Model,
        q: _Array | None = ...,
        v: _Array | None = ...,
        tau: _Array | None = ...,
        constraints: Iterable[Constraint] = ...,
    ) -> None: ...
    model: Final[Model]
    @property
    def q(self) -> _Array: ...
    @q.setter
    def q(self, value: _Array) -> None: ...
    @property
    def v(self) -> _Array: ...
    @v.setter
    def v(self, value: _Array) -> None: ...
    @property
    def tau(self) -> _Array: ...
    @tau.setter
    def tau(self, value: _Array) -> None: ...
    @property
    def constraints(self) -> tuple[Constraint, ...]: ...
    @constraints.setter
    def constraints(self, value: Iterable[Constraint]) -> None: ...
    @property
    def recipe(self) -> str: ...
    @recipe.setter
    def recipe(self, value: str) -> None: ...
    report: Final[LoadReport]
    def to_json(self) -> str: ...
    def save(self, path: str | os.PathLike[str]) -> None: ...
    def place_on_ground(self) -> Scene: ...
    def with_model(self, model: Model) -> Scene: ...

def load(
    name: str | os.PathLike[str],
    *,
    floating: bool | None = ...,
    strict: bool = ...,
    package_paths: Iterable[str | os.PathLike[str]] = ...,
) -> Scene: ...
def parse(
    text: str, format: Literal["urdf", "mjcf", "scene"], *, floating: bool = ..., strict: bool = ...
) -> Scene: ...
def names() -> dict[str, list[str]]: ...

# ---------------------------------------------------------------------------- kinematics and dynamics

class State:
    def __init__(self, model: Model, q: _Array | None = ..., v: _Array | None = ...) -> None: ...
    model: Final[Model]
    q: Final[_Array]
    v: Final[_Array]
    def update(self, q: _Array, v: _Array | None = ...) -> None: ...
    def frame_pose(self, frame: _Frame) -> Pose: ...
    def frame_velocity(self, frame: _Frame) -> _Array: ...
    def frame_drift(self, frame: _Frame) -> _Array: ...
    def frame_jacobian(
        self, frame: _Frame, axes: Literal["world", "frame"] = ..., out: _Array | None = ...
    ) -> _Array: ...
    def centre_of_mass(self) -> _Array: ...
    def centre_of_mass_jacobian(self, out: _Array | None = ...) -> _Array: ...
    def inertia_matrix(self, out: _Array | None = ...) -> _Array: ...
    def bias_forces(self, out: _Array | None = ...) -> _Array: ...
    def inverse_dynamics(self, acceleration: _Array, out: _Array | None = ...) -> _Array: ...
    def forward_dynamics(self, tau: _Array, out: _Array | None = ...) -> _Array: ...
    def apply_inverse_inertia(self, x: _Array, out: _Array | None = ...) -> _Array: ...
    def kinetic_energy(self) -> float: ...
    def potential_energy(self) -> float: ...

# ---------------------------------------------------------------------------------------------- planner

class OperatorCount(_Value):
    def __init__(
        self,
        factor: int = ...,
        matrix: int = ...,
        product: int = ...,
        damping: int = ...,
        redamping: int = ...,
        solve: int = ...,
    ) -> None: ...
    factor: Final[int]
    matrix: Final[int]
    product: Final[int]
    damping: Final[int]
    redamping: Final[int]
    solve: Final[int]

class OperatorTime(_Value):
    def __init__(
        self,
        factor: float = ...,
        matrix: float = ...,
        product: float = ...,
        damping: float = ...,
        redamping: float = ...,
        solve: float = ...,
    ) -> None: ...
    factor: Final[float]
    matrix: Final[float]
    product: Final[float]
    damping: Final[float]
    redamping: Final[float]
    solve: Final[float]

class Candidate(_Value):
    def __init__(
        self,
        algorithm: str = ...,
        time_us: float = ...,
        operations: int = ...,
        exact: bool = ...,
        calls: OperatorCount = ...,
        times: OperatorTime = ...,
    ) -> None: ...
    algorithm: Final[str]
    time_us: Final[float]
    operations: Final[int]
    exact: Final[bool]
    calls: Final[OperatorCount]
    times: Final[OperatorTime]

class Workload(_Value):
    def __init__(
        self, products: int = ..., dampings: int = ..., solves: int = ..., matrix: bool = ...
    ) -> None: ...
    products: Final[int]
    dampings: Final[int]
    solves: Final[int]
    matrix: Final[bool]

class NodeChain(_Value):
    def __init__(
        self, reason: str = ..., joint: str = ..., links: int = ..., dofs: int = ..., rows: int = ...
    ) -> None: ...
    reason: Final[str]
    joint: Final[str]
    links: Final[int]
    dofs: Final[int]
    rows: Final[int]

class Condensation(_Value):
    def __init__(
        self,
        links: int = ...,
        live: int = ...,
        nodes: int = ...,
        carried: int = ...,
        groups: int = ...,
        rows: int = ...,
        carried_rows: int = ...,
        multipliers: int = ...,
        lone_rows: int = ...,
        jointwise: Sequence[NodeChain] = ...,
    ) -> None: ...
    links: Final[int]
    live: Final[int]
    nodes: Final[int]
    carried: Final[int]
    groups: Final[int]
    rows: Final[int]
    carried_rows: Final[int]
    multipliers: Final[int]
    lone_rows: Final[int]
    jointwise: Final[tuple[NodeChain, ...]]

class Plan(_Value):
    def __init__(
        self,
        choice: str = ...,
        workload: Workload = ...,
        candidates: Sequence[Candidate] = ...,
        dofs: int = ...,
        rows: int = ...,
        depth: int = ...,
        constraints: int = ...,
        meetings: int = ...,
        condensation: Condensation = ...,
    ) -> None: ...
    choice: Final[str]
    workload: Final[Workload]
    candidates: Final[tuple[Candidate, ...]]
    dofs: Final[int]
    rows: Final[int]
    depth: Final[int]
    constraints: Final[int]
    meetings: Final[int]
    condensation: Final[Condensation]
    def explain(self) -> str: ...

def plan(
    model: Model,
    constraints: Iterable[Constraint],
    workload: Workload | None = ...,
    among: Iterable[str] | None = ...,
) -> Plan: ...
def condensation(model: Model, constraints: Iterable[Constraint]) -> Condensation: ...
def link_roles(model: Model, constraints: Iterable[Constraint]) -> tuple[str, ...]: ...

# ----------------------------------------------------------------------------------------------- doctor

class RowDiagnosis(_Value):
    def __init__(
        self,
        name: str = ...,
        unit: str = ...,
        position: float = ...,
        velocity: float = ...,
        drift: float = ...,
        strength: float = ...,
        position_remainder: float = ...,
        acceleration_remainder: float = ...,
    ) -> None: ...
    name: Final[str]
    unit: Final[str]
    position: Final[float]
    velocity: Final[float]
    drift: Final[float]
    strength: Final[float]
    position_remainder: Final[float]
    acceleration_remainder: Final[float]

class RowDependency(_Value):
    def __init__(
        self,
        rows: Sequence[int] = ...,
        weights: npt.ArrayLike = ...,
        distance: float = ...,
        exact: bool = ...,
    ) -> None: ...
    rows: Final[tuple[int, ...]]
    weights: Final[_Array]
    distance: Final[float]
    exact: Final[bool]

class ConstraintDiagnosis(_Value):
    def __init__(
        self,
        name: str = ...,
        first_row: int = ...,
        rows: int = ...,
        linear: float = ...,
        angular: float = ...,
        other: float = ...,
        violated: bool = ...,
    ) -> None: ...
    name: Final[str]
    first_row: Final[int]
    rows: Final[int]
    linear: Final[float]
    angular: Final[float]
    other: Final[float]
    violated: Final[bool]

class ConstraintFinding(_Value):
    def __init__(
        self,
        kind: str = ...,
        rows: Sequence[int] = ...,
        text: str = ...,
        details: Sequence[str] = ...,
        advice: str = ...,
    ) -> None: ...
    kind: Final[str]
    rows: Final[tuple[int, ...]]
    text: Final[str]
    details: Final[tuple[str, ...]]
    advice: Final[str]

class ConstraintReport(_Value):
    def __init__(
        self,
        health: str = ...,
        dofs: int = ...,
        rank: int = ...,
        rank_is_certain: bool = ...,
        eigenvalues: npt.ArrayLike = ...,
        condition: float = ...,
        rank_tolerance: float = ...,
        position_tolerance: float = ...,
        velocity_tolerance: float = ...,
        damping: float = ...,
        rows: Sequence[RowDiagnosis] = ...,
        independent: Sequence[int] = ...,
        dependencies: Sequence[RowDependency] = ...,
        constraints: Sequence[ConstraintDiagnosis] = ...,
        findings: Sequence[ConstraintFinding] = ...,
    ) -> None: ...
    health: Final[str]
    dofs: Final[int]
    rank: Final[int]
    rank_is_certain: Final[bool]
    eigenvalues: Final[_Array]
    condition: Final[float]
    rank_tolerance: Final[float]
    position_tolerance: Final[float]
    velocity_tolerance: Final[float]
    damping: Final[float]
    rows: Final[tuple[RowDiagnosis, ...]]
    independent: Final[tuple[int, ...]]
    dependencies: Final[tuple[RowDependency, ...]]
    constraints: Final[tuple[ConstraintDiagnosis, ...]]
    findings: Final[tuple[ConstraintFinding, ...]]
    mobility: Final[int]
    text: Final[str]

def diagnose(
    model: Model, constraints: Iterable[Constraint], q: _Array, v: _Array | None = ..., tolerance: float = ...
) -> ConstraintReport: ...

# --------------------------------------------------------------------------------------------- operator

class Spectrum(_Value):
    def __init__(
        self, largest: float = ..., smallest: float = ..., rank: int = ..., condition: float = ...
    ) -> None: ...
    largest: Final[float]
    smallest: Final[float]
    rank: Final[int]
    condition: Final[float]

class CondensedCapacity(_Value):
    def __init__(
        self,
        constraints: int = ...,
        rows: int = ...,
        blocks: int = ...,
        entries: int = ...,
        couplings: int = ...,
    ) -> None: ...
    constraints: Final[int]
    rows: Final[int]
    blocks: Final[int]
    entries: Final[int]
    couplings: Final[int]
    @staticmethod
    def room_for(constraints: int) -> CondensedCapacity: ...

class CondensedOptions(_Value):
    def __init__(
        self,
        form: str = ...,
        condense: str = ...,
        order: str = ...,
        seed: int = ...,
        tolerance: float = ...,
        refinements: int = ...,
        capacity: CondensedCapacity = ...,
        fallback_rows: int = ...,
        reserve_fallback: bool = ...,
        check_always: bool = ...,
    ) -> None: ...
    form: Final[str]
    condense: Final[str]
    order: Final[str]
    seed: Final[int]
    tolerance: Final[float]
    refinements: Final[int]
    capacity: Final[CondensedCapacity]
    fallback_rows: Final[int]
    reserve_fallback: Final[bool]
    check_always: Final[bool]

class LcabaOptions(_Value):
    def __init__(self, form: str = ..., order: str = ..., seed: int = ..., refinements: int = ...) -> None: ...
    form: Final[str]
    order: Final[str]
    seed: Final[int]
    refinements: Final[int]

class Operator:
    __array_ufunc__: None
    def __init__(
        self,
        model: Model,
        constraints: Iterable[Constraint],
        algorithm: str = ...,
        *,
        workload: Workload | None = ...,
        options: CondensedOptions | LcabaOptions | None = ...,
    ) -> None: ...
    model: Final[Model]
    constraints: Final[tuple[Constraint, ...]]
    algorithm: Final[str]
    reason: Final[str]
    @property
    def plan(self) -> Plan | None: ...
    rows: Final[int]
    shape: Final[tuple[int, int]]
    dtype: Final[np.dtype[np.float64]]
    @property
    def q(self) -> _Array | None: ...
    bytes: Final[int]
    residual: Final[float]
    def update(self, q: _Array) -> None: ...
    def set_constraints(self, constraints: Iterable[Constraint]) -> None: ...
    def update_damping(self, damping: float | _Array | Sequence[_Array]) -> None: ...
    def apply(self, x: _Array, out: _Array | None = ...) -> _Array: ...
    def __matmul__(self, x: _Array) -> _Array: ...
    def joint_response(self, x: _Array, out: _Array | None = ...) -> _Array: ...
    def dense(self, out: _Array | None = ...) -> _Array: ...
    def diagonal(self, out: _Array | None = ...) -> _Array: ...
    def spectrum(self) -> Spectrum: ...
    def solve(self, b: _Array, out: _Array | None = ...) -> _Array: ...
    def solve_system(self, tau: _Array, b: _Array) -> tuple[_Array, _Array]: ...
    def kkt_inverse(self) -> tuple[_Array, _Array, _Array]: ...
    def damped_inverse(self, damping: float | _Array, out: _Array | None = ...) -> _Array: ...
    def jacobian(self, out: _Array | None = ...) -> _Array: ...
    def apply_jacobian(self, v: _Array, out: _Array | None = ...) -> _Array: ...
    def apply_jacobian_transpose(self, force: _Array, out: _Array | None = ...) -> _Array: ...
    def drift(self, v: _Array, out: _Array | None = ...) -> _Array: ...
    def position(self, out: _Array | None = ...) -> _Array: ...
    def as_linear_operator(self) -> LinearOperator: ...
    def inverse_as_linear_operator(self) -> LinearOperator: ...

def algorithms() -> list[str]: ...
def compile(
    scene: Scene,
    *,
    compiler: str | None = ...,
    cache: str | os.PathLike[str] | None = ...,
    keep: bool = ...,
    blocks: bool = ...,
    seconds: float = ...,
) -> Operator: ...

# --------------------------------------------------------------------------------- constrained dynamics

class ProximalOptions(_Value):
    def __init__(
        self,
        damping: float = ...,
        narrow_damping: float = ...,
        tolerance: float = ...,
        iterations: int = ...,
    ) -> None: ...
    damping: Final[float]
    narrow_damping: Final[float]
    tolerance: Final[float]
    iterations: Final[int]

class Baumgarte(_Value):
    def __init__(
        self,
        stiffness: float = ...,
        damping: float = ...,
    ) -> None: ...
    stiffness: Final[float]
    damping: Final[float]

class ConstrainedMotion(_Value):
    def __init__(
        self,
        acceleration: npt.ArrayLike = ...,
        force: npt.ArrayLike = ...,
        status: str = ...,
        message: str = ...,
        index: int = ...,
        iterations: int = ...,
        residual: float = ...,
        remainder: npt.ArrayLike = ...,
    ) -> None: ...
    acceleration: Final[_Array]
    force: Final[_Array]
    status: Final[str]
    message: Final[str]
    index: Final[int]
    iterations: Final[int]
    residual: Final[float]
    remainder: Final[_Array]

class Impact(_Value):
    def __init__(
        self,
        velocity: npt.ArrayLike = ...,
        impulse: npt.ArrayLike = ...,
        status: str = ...,
        message: str = ...,
        index: int = ...,
        iterations: int = ...,
        residual: float = ...,
        remainder: npt.ArrayLike = ...,
    ) -> None: ...
    velocity: Final[_Array]
    impulse: Final[_Array]
    status: Final[str]
    message: Final[str]
    index: Final[int]
    iterations: Final[int]
    residual: Final[float]
    remainder: Final[_Array]

class ConstrainedDynamics:
    def __init__(
        self,
        model: Model,
        constraints: Iterable[Constraint],
        method: Literal["condensed", "kkt", "aba"] = ...,
        *,
        options: ProximalOptions | None = ...,
    ) -> None: ...
    model: Final[Model]
    constraints: Final[tuple[Constraint, ...]]
    method: Final[str]
    rows: Final[int]
    def solve(
        self,
        q: _Array,
        v: _Array,
        tau: _Array,
        *,
        target: _Array | None = ...,
        start: _Array | None = ...,
        baumgarte: Baumgarte | None = ...,
    ) -> ConstrainedMotion: ...
    def solve_impact(
        self, q: _Array, v: _Array, restitution: float | _Array = ..., *, start: _Array | None = ...
    ) -> Impact: ...
    def derivatives(
        self, q: _Array, v: _Array, tau: _Array, *, baumgarte: Baumgarte | None = ...
    ) -> ConstrainedDerivatives: ...

class Assembly(_Value):
    def __init__(
        self,
        q: npt.ArrayLike = ...,
        linear_before: float = ...,
        angular_before: float = ...,
        linear_after: float = ...,
        angular_after: float = ...,
        status: str = ...,
        message: str = ...,
        index: int = ...,
        iterations: int = ...,
        residual: float = ...,
        remainder: npt.ArrayLike = ...,
    ) -> None: ...
    q: Final[_Array]
    linear_before: Final[float]
    angular_before: Final[float]
    linear_after: Final[float]
    angular_after: Final[float]
    status: Final[str]
    message: Final[str]
    index: Final[int]
    iterations: Final[int]
    residual: Final[float]
    remainder: Final[_Array]

class ConstrainedForces(_Value):
    def __init__(
        self,
        tau: npt.ArrayLike = ...,
        force: npt.ArrayLike = ...,
        status: str = ...,
        message: str = ...,
        index: int = ...,
        iterations: int = ...,
        residual: float = ...,
        remainder: npt.ArrayLike = ...,
    ) -> None: ...
    tau: Final[_Array]
    force: Final[_Array]
    status: Final[str]
    message: Final[str]
    index: Final[int]
    iterations: Final[int]
    residual: Final[float]
    remainder: Final[_Array]

def equalities(constraints: Iterable[Constraint]) -> tuple[Constraint, ...]: ...
def assemble(
    model: Model, constraints: Iterable[Constraint], q: _Array, *, tolerance: float = ..., iterations: int = ...
) -> Assembly: ...
def project_velocity(
    model: Model, constraints: Iterable[Constraint], q: _Array, v: _Array, out: _Array | None = ...
) -> _Array: ...
def constrained_inverse_dynamics(
    model: Model,
    constraints: Iterable[Constraint],
    q: _Array,
    v: _Array,
    acceleration: _Array,
    *,
    motors: Iterable[str] | None = ...,
    start: _Array | None = ...,
    options: ProximalOptions | None = ...,
) -> ConstrainedForces: ...

class Integrator:
    def __init__(
        self,
        model: Model,
        constraints: Iterable[Constraint],
        kind: Literal["semi_implicit_euler", "runge_kutta_4", "energy_preserving"] = ...,
        dt: float = ...,
        *,
        project: bool = ...,
        baumgarte: Baumgarte | None = ...,
        energy_error: float = ...,
        halvings: int = ...,
    ) -> None: ...
    model: Final[Model]
    constraints: Final[tuple[Constraint, ...]]
    dt: Final[float]
    parts: Final[int]
    evaluations: Final[int]
    missed: Final[float]
    force: Final[_Array]
    def step(self, q: _Array, v: _Array, tau: _Array) -> None: ...

# ------------------------------------------------------------------------------------------- simulation

class SimulationOptions(_Value):
    def __init__(
        self,
        dt: float = ...,
        solver: Literal["rigid", "convex", "pgs", "relaxed", "soft-implicit", "soft"] = ...,
        algorithm: str = ...,
        tolerance: float = ...,
        max_iterations: int = ...,
        max_step_time: float = ...,
        restitution: float = ...,
        restitution_threshold: float = ...,
        recovery_time: float = ...,
        recovery_speed: float = ...,
        joint_limits: bool = ...,
        joint_friction: bool = ...,
        start_penetration: float = ...,
        start_violation: float = ...,
        fastest: float = ...,
        acceptable: float = ...,
        gain_per_mass: float = ...,
        gain_share: float = ...,
        ground: bool = ...,
        self_collisions: bool = ...,
        margin: float = ...,
        capacity: int = ...,
        stiffness: float = ...,
        damping: float = ...,
        time_constant: float = ...,
    ) -> None: ...
    dt: Final[float]
    solver: Final[Literal["rigid", "convex", "pgs", "relaxed", "soft-implicit", "soft"]]
    algorithm: Final[str]
    tolerance: Final[float]
    max_iterations: Final[int]
    max_step_time: Final[float]
    restitution: Final[float]
    restitution_threshold: Final[float]
    recovery_time: Final[float]
    recovery_speed: Final[float]
    joint_limits: Final[bool]
    joint_friction: Final[bool]
    start_penetration: Final[float]
    start_violation: Final[float]
    fastest: Final[float]
    acceptable: Final[float]
    gain_per_mass: Final[float]
    gain_share: Final[float]
    ground: Final[bool]
    self_collisions: Final[bool]
    margin: Final[float]
    capacity: Final[int]
    stiffness: Final[float]
    damping: Final[float]
    time_constant: Final[float]

class Actuator(_Value):
    def __init__(
        self,
        joint: str = ...,
        dof: int = ...,
        kind: Literal["motor", "position", "velocity"] = ...,
        kp: float = ...,
        kd: float = ...,
        effort_limit: float = ...,
    ) -> None: ...
    joint: Final[str]
    dof: Final[int]
    kind: Final[Literal["motor", "position", "velocity"]]
    kp: Final[float]
    kd: Final[float]
    effort_limit: Final[float]

def motors(model: Model) -> tuple[Actuator, ...]: ...
def position_actuators(model: Model, kp: float, kd: float) -> tuple[Actuator, ...]: ...
def classic_scenes() -> dict[str, str]: ...

class ContactImpulse(_Value):
    def __init__(
        self,
        key: int = ...,
        force: npt.ArrayLike = ...,
        moment: npt.ArrayLike = ...,
    ) -> None: ...
    key: Final[int]
    force: Final[_Array]
    moment: Final[_Array]

class SimulationState(_Value):
    def __init__(
        self,
        q: npt.ArrayLike = ...,
        v: npt.ArrayLike = ...,
        start_time: float = ...,
        steps: int = ...,
        inexact_steps: int = ...,
        control: npt.ArrayLike = ...,
        target_velocity: npt.ArrayLike = ...,
        forces: npt.ArrayLike = ...,
        contacts: Iterable[ContactImpulse] = ...,
        joints: npt.ArrayLike = ...,
        limits: npt.ArrayLike = ...,
        penalty: float = ...,
        checked: bool = ...,
    ) -> None: ...
    q: Final[_Array]
    v: Final[_Array]
    start_time: Final[float]
    steps: Final[int]
    inexact_steps: Final[int]
    control: Final[_Array]
    target_velocity: Final[_Array]
    forces: Final[_Array]
    contacts: Final[tuple[ContactImpulse, ...]]
    joints: Final[_Array]
    limits: Final[_Array]
    penalty: Final[float]
    checked: Final[bool]

class StepEnergy(_Value):
    def __init__(
        self,
        kinetic: float = ...,
        potential: float = ...,
        forces: float = ...,
        motors: float = ...,
        damping: float = ...,
        friction: float = ...,
        loops: float = ...,
        limits: float = ...,
        contacts: float = ...,
        solve: float = ...,
        drift: float = ...,
    ) -> None: ...
    kinetic: Final[float]
    potential: Final[float]
    forces: Final[float]
    motors: Final[float]
    damping: Final[float]
    friction: Final[float]
    loops: Final[float]
    limits: Final[float]
    contacts: Final[float]
    solve: Final[float]
    drift: Final[float]

class StepReport(_Value):
    def __init__(
        self,
        contacts: int = ...,
        constraints: int = ...,
        rows: int = ...,
        inexact: bool = ...,
        penetration: float = ...,
        reason: str = ...,
        iterations: int = ...,
        velocity_residual: float = ...,
        dual_residual: float = ...,
        force_residual: float = ...,
        energy: StepEnergy = ...,
    ) -> None: ...
    contacts: Final[int]
    constraints: Final[int]
    rows: Final[int]
    inexact: Final[bool]
    penetration: Final[float]
    reason: Final[str]
    iterations: Final[int]
    velocity_residual: Final[float]
    dual_residual: Final[float]
    force_residual: Final[float]
    energy: Final[StepEnergy]

class Simulator:
    def __init__(
        self,
        scene: Scene | Model | str | os.PathLike[str],
        options: SimulationOptions | None = ...,
        *,
        dt: float | None = ...,
        solver: Literal["rigid", "convex", "pgs", "relaxed", "soft-implicit", "soft"] | None = ...,
        algorithm: str | None = ...,
        restitution: float | None = ...,
        actuators: Iterable[Actuator] = ...,
        tolerance: float | None = ...,
        floating: bool | None = ...,
        place_on_ground: bool | None = ...,
    ) -> None: ...
    model: Final[Model]
    constraints: Final[tuple[Constraint, ...]]
    options: Final[SimulationOptions]
    actuators: Final[tuple[Actuator, ...]]
    time: Final[float]
    inexact_steps: Final[int]
    report: Final[StepReport]
    efforts: Final[_Array]
    @property
    def q(self) -> _Array: ...
    @q.setter
    def q(self, value: _Array) -> None: ...
    @property
    def v(self) -> _Array: ...
    @v.setter
    def v(self, value: _Array) -> None: ...
    @property
    def control(self) -> _Array: ...
    @control.setter
    def control(self, value: _Array) -> None: ...
    @property
    def target_velocity(self) -> _Array: ...
    @target_velocity.setter
    def target_velocity(self, value: _Array) -> None: ...
    @property
    def forces(self) -> _Array: ...
    @forces.setter
    def forces(self, value: _Array) -> None: ...
    def step(self, n: int = ..., push: Mapping[Any, npt.ArrayLike] | None = ...) -> None: ...
    def record(self, fps: int = ...) -> Recording: ...
    def set_state(self, q: _Array, v: _Array, time: float = ...) -> None: ...
    def save(self) -> SimulationState: ...
    def restore(self, state: SimulationState) -> None: ...
    def contacts(self) -> dict[str, npt.NDArray[Any]]: ...
    def kinetic_energy(self) -> float: ...
    def potential_energy(self) -> float: ...
    def body(self, name: _Body) -> SimulatedBody: ...
    def joint(self, name: _Joint) -> SimulatedJoint: ...

class SimulatedBody:
    simulator: Final[Simulator]
    name: Final[str]
    mass: Final[float]
    position: Final[_Array]
    quaternion: Final[_Array]
    velocity: Final[_Array]
    angular_velocity: Final[_Array]
    contact_force: Final[_Array]
    in_contact: Final[bool]

class SimulatedJoint:
    simulator: Final[Simulator]
    name: Final[str]
    @property
    def q(self) -> _Array: ...
    @q.setter
    def q(self, value: npt.ArrayLike) -> None: ...
    @property
    def v(self) -> _Array: ...
    @v.setter
    def v(self, value: npt.ArrayLike) -> None: ...
    @property
    def force(self) -> _Array: ...
    @force.setter
    def force(self, value: npt.ArrayLike) -> None: ...
    lower: Final[_Array]
    upper: Final[_Array]

class Recording:
    times: Final[_Array]
    def __len__(self) -> int: ...
    def stop(self) -> None: ...
    def html(self) -> str: ...
    def save(self, path: str | os.PathLike[str]) -> None: ...
    def image(
        self,
        frame: int,
        width: int = ...,
        height: int = ...,
        eye: npt.ArrayLike | None = ...,
        target: npt.ArrayLike | None = ...,
    ) -> npt.NDArray[np.uint8]: ...
    def images(
        self,
        width: int = ...,
        height: int = ...,
        eye: npt.ArrayLike | None = ...,
        target: npt.ArrayLike | None = ...,
    ) -> Iterator[npt.NDArray[np.uint8]]: ...

# ---------------------------------------------------------------------------------------------- contact

class AdmmOptions(_Value):
    def __init__(
        self,
        tolerance: float = ...,
        relative_tolerance: float = ...,
        modes: bool = ...,
        start_tolerance: float = ...,
        iterations: int = ...,
        relaxation: float = ...,
        penalty: float = ...,
        memory: int = ...,
    ) -> None: ...
    tolerance: Final[float]
    relative_tolerance: Final[float]
    modes: Final[bool]
    start_tolerance: Final[float]
    iterations: Final[int]
    relaxation: Final[float]
    penalty: Final[float]
    memory: Final[int]

class ContactInteriorPointOptions(_Value):
    def __init__(self, tolerance: float = ..., relative_tolerance: float = ..., iterations: int = ...) -> None: ...
    tolerance: Final[float]
    relative_tolerance: Final[float]
    iterations: Final[int]

class ContactNewtonOptions(_Value):
    def __init__(
        self,
        tolerance: float = ...,
        relative_tolerance: float = ...,
        iterations: int = ...,
        proximal: float = ...,
        least_proximal: float = ...,
    ) -> None: ...
    tolerance: Final[float]
    relative_tolerance: Final[float]
    iterations: Final[int]
    proximal: Final[float]
    least_proximal: Final[float]

class PgsOptions(_Value):
    def __init__(
        self,
        tolerance: float = ...,
        relative_tolerance: float = ...,
        iterations: int = ...,
        relaxation: float = ...,
    ) -> None: ...
    tolerance: Final[float]
    relative_tolerance: Final[float]
    iterations: Final[int]
    relaxation: Final[float]

class ContactCertificate(_Value):
    def __init__(
        self,
        primal: float = ...,
        dual: float = ...,
        complementarity: float = ...,
        force: float = ...,
        velocity: float = ...,
        rounding: float = ...,
        constraint: int = ...,
        reason: str = ...,
        iterations: int = ...,
        dampings: int = ...,
        against: int = ...,
    ) -> None: ...
    primal: Final[float]
    dual: Final[float]
    complementarity: Final[float]
    force: Final[float]
    velocity: Final[float]
    rounding: Final[float]
    constraint: Final[int]
    reason: Final[str]
    iterations: Final[int]
    dampings: Final[int]
    against: Final[int]

class ContactSolution(_Value):
    def __init__(
        self,
        impulse: npt.ArrayLike = ...,
        velocity: npt.ArrayLike = ...,
        certificate: ContactCertificate = ...,
        status: str = ...,
        message: str = ...,
        index: int = ...,
    ) -> None: ...
    impulse: Final[_Array]
    velocity: Final[_Array]
    certificate: Final[ContactCertificate]
    status: Final[str]
    message: Final[str]
    index: Final[int]

class Admm:
    def __init__(self, options: AdmmOptions | None = ...) -> None: ...
    options: Final[AdmmOptions]
    def solve(
        self,
        op: Operator,
        free_velocity: _Array,
        *,
        start: _Array | None = ...,
        compliance: _Array | None = ...,
        law: Literal["coulomb", "convex"] = ...,
        time_step: float = ...,
        max_time: float = ...,
    ) -> ContactSolution: ...

class ContactInteriorPoint:
    def __init__(self, options: ContactInteriorPointOptions | None = ...) -> None: ...
    options: Final[ContactInteriorPointOptions]
    def solve(
        self,
        op: Operator,
        free_velocity: _Array,
        *,
        start: _Array | None = ...,
        compliance: _Array | None = ...,
        law: Literal["coulomb", "convex"] = ...,
        time_step: float = ...,
        max_time: float = ...,
    ) -> ContactSolution: ...

class ContactNewton:
    def __init__(self, options: ContactNewtonOptions | None = ...) -> None: ...
    options: Final[ContactNewtonOptions]
    def solve(
        self,
        op: Operator,
        free_velocity: _Array,
        *,
        start: _Array | None = ...,
        compliance: _Array | None = ...,
        law: Literal["coulomb", "convex"] = ...,
        time_step: float = ...,
        max_time: float = ...,
    ) -> ContactSolution: ...

class Pgs:
    def __init__(self, options: PgsOptions | None = ...) -> None: ...
    options: Final[PgsOptions]
    def solve(
        self,
        op: Operator,
        free_velocity: _Array,
        *,
        start: _Array | None = ...,
        compliance: _Array | None = ...,
        law: Literal["coulomb", "convex"] = ...,
        time_step: float = ...,
        max_time: float = ...,
    ) -> ContactSolution: ...

def contact_residuals(
    op: Operator,
    free_velocity: _Array,
    impulse: _Array,
    *,
    compliance: _Array | None = ...,
    law: Literal["coulomb", "convex"] = ...,
    time_step: float = ...,
) -> ContactCertificate: ...

# ---------------------------------------------------------------------------------------------- layouts

class CoordinateLayout:
    def __init__(
        self,
        model: Model,
        library: Literal["pinocchio", "mujoco"],
        joints: Iterable[str] = ...,
        *,
        cos_sin: bool = ...,
    ) -> None: ...
    model: Final[Model]
    nq: Final[int]
    nv: Final[int]
    def q_from(self, q_there: _Array, out: _Array | None = ...) -> _Array: ...
    def q_to(self, q: _Array, out: _Array | None = ...) -> _Array: ...
    def velocity_from(self, q: _Array, v_there: _Array, out: _Array | None = ...) -> _Array: ...
    def velocity_to(self, q: _Array, v: _Array, out: _Array | None = ...) -> _Array: ...
    def force_from(self, q: _Array, tau_there: _Array, out: _Array | None = ...) -> _Array: ...
    def force_to(self, q: _Array, tau: _Array, out: _Array | None = ...) -> _Array: ...
    def acceleration_from(self, q: _Array, v: _Array, a_there: _Array, out: _Array | None = ...) -> _Array: ...
    def acceleration_to(self, q: _Array, v: _Array, a: _Array, out: _Array | None = ...) -> _Array: ...
    def jacobian_from(self, q: _Array, J_there: _Array, out: _Array | None = ...) -> _Array: ...
    def jacobian_to(self, q: _Array, J: _Array, out: _Array | None = ...) -> _Array: ...

# ---------------------------------------------------------------------------------------------- control

_Level = Union[str, int]

class TaskGains(_Value):
    def __init__(self, stiffness: float = ..., damping: float = ...) -> None: ...
    stiffness: Final[float]
    damping: Final[float]

class SingularityOptions(_Value):
    def __init__(
        self, handling: Literal["clamp", "damp", "truncate"] = ..., threshold: float = ..., best_effort: bool = ...
    ) -> None: ...
    handling: Final[str]
    threshold: Final[float]
    best_effort: Final[bool]

class TaskLevel(_Value):
    def __init__(
        self,
        name: str = ...,
        tasks: Iterable[Constraint] = ...,
        gains: TaskGains = ...,
        singular: SingularityOptions = ...,
    ) -> None: ...
    name: Final[str]
    tasks: Final[tuple[Constraint, ...]]
    gains: Final[TaskGains]
    singular: Final[SingularityOptions]

class LevelReport(_Value):
    def __init__(self, weak: int = ..., smallest: float = ..., row: int = ...) -> None: ...
    weak: Final[int]
    smallest: Final[float]
    row: Final[int]

class PoseTarget(_Value):
    def __init__(
        self, pose: Pose = ..., velocity: npt.ArrayLike = ..., acceleration: npt.ArrayLike = ...
    ) -> None: ...
    pose: Final[Pose]
    velocity: Final[_Array]
    acceleration: Final[_Array]

class CubicPath:
    def __init__(self, first: Pose, last: Pose, start: float, duration: float) -> None: ...
    def at(self, t: float) -> PoseTarget: ...
    end: Final[float]

def pose_task(model: Model, frame: _Place, target: Pose, *, name: str | None = ...) -> LoopClosure: ...
def position_task(model: Model, frame: _Place, target: npt.ArrayLike, *, name: str | None = ...) -> LoopClosure: ...
def orientation_task(model: Model, frame: _Place, target: npt.ArrayLike, *, name: str | None = ...) -> LoopClosure: ...
def centre_of_mass_task(model: Model, target: npt.ArrayLike, *, name: str | None = ...) -> CentreOfMass: ...
def joint_task(model: Model, joint: _Joint, target: float, *, name: str | None = ...) -> JointPolynomial: ...

class OperationalSpace:
    def __init__(self, model: Model, levels: Iterable[TaskLevel], held: Iterable[Constraint] = ...) -> None: ...
    model: Final[Model]
    levels: Final[tuple[str, ...]]
    num_rows: Final[int]
    held_rows: Final[int]
    def rows(self, level: _Level) -> int: ...
    def first_row(self, level: _Level) -> int: ...
    def update(self, q: _Array, v: _Array | None = ...) -> Literal["ok", "singular_task"]: ...
    def report(self, level: _Level) -> LevelReport: ...
    def jacobian(self, level: _Level, out: _Array | None = ...) -> _Array: ...
    def inverse_inertia(self, level: _Level, out: _Array | None = ...) -> _Array: ...
    def inertia(self, level: _Level, out: _Array | None = ...) -> _Array: ...
    def consistent_inverse(self, level: _Level, out: _Array | None = ...) -> _Array: ...
    def null_space(self, level: _Level, out: _Array | None = ...) -> _Array: ...
    def bias_force(self, level: _Level, out: _Array | None = ...) -> _Array: ...
    def gravity_force(self, level: _Level, out: _Array | None = ...) -> _Array: ...
    def apply_inertia(self, level: _Level, acceleration: _Array, out: _Array | None = ...) -> _Array: ...
    def apply_consistent_inverse(self, level: _Level, acceleration: _Array, out: _Array | None = ...) -> _Array: ...
    def apply_consistent_force(self, level: _Level, tau: _Array, out: _Array | None = ...) -> _Array: ...
    def apply_jacobian_transpose(self, level: _Level, force: _Array, out: _Array | None = ...) -> _Array: ...
    def project_motion(self, level: _Level, nu: _Array, out: _Array | None = ...) -> _Array: ...
    def project_force(self, level: _Level, tau: _Array, out: _Array | None = ...) -> _Array: ...
    def accelerate(self, acceleration: _Array, nu: _Array) -> tuple[_Array, _Array]: ...

class Support(_Value):
    def __init__(
        self,
        held: str = ...,
        mu: float = ...,
        mu_torsion: float = ...,
        sole: Sequence[npt.ArrayLike] = ...,
        normal: npt.ArrayLike = ...,
    ) -> None: ...
    held: Final[str]
    mu: Final[float]
    mu_torsion: Final[float]
    sole: Final[tuple[_Array, ...]]
    normal: Final[_Array]

class ContactExcess(_Value):
    def __init__(self, fault: str = ..., held: int = ..., beyond: float = ...) -> None: ...
    fault: Final[str]
    held: Final[int]
    beyond: Final[float]

def make_supports(model: Model, q: npt.ArrayLike, held: Iterable[Constraint]) -> tuple[Support, ...]: ...

class OperationalController:
    def __init__(
        self,
        model: Model,
        levels: Iterable[TaskLevel],
        held: Iterable[Constraint] = ...,
        *,
        posture_gains: TaskGains | None = ...,
        held_gains: TaskGains | None = ...,
        motors: Iterable[str] | None = ...,
        supports: Iterable[Support] = ...,
    ) -> None: ...
    model: Final[Model]
    space: Final[OperationalSpace]
    def set_target(
        self,
        task: str,
        target: Pose | PoseTarget | npt.ArrayLike,
        *,
        velocity: npt.ArrayLike | None = ...,
        acceleration: npt.ArrayLike | None = ...,
    ) -> None: ...
    def set_acceleration(self, task: str, acceleration: _Array) -> None: ...
    def set_force(self, task: str, force: _Array) -> None: ...
    def set_posture(self, q: _Array) -> None: ...
    def set_posture_force(self, tau: _Array) -> None: ...
    def set_held_force(self, force: _Array) -> None: ...
    def compute(self, q: _Array, v: _Array, out: _Array | None = ...) -> _Array: ...
    status: Final[str]
    message: Final[str]
    @property
    def contact(self) -> ContactExcess | None: ...
    acceleration: Final[_Array]
    held_force: Final[_Array]

class HeldObject(_Value):
    def __init__(self, inertial: Inertial = ..., hands: Iterable[Pose] = ...) -> None: ...
    inertial: Final[Inertial]
    hands: Final[tuple[Pose, ...]]

class AugmentedObject:
    def __init__(self, object: HeldObject) -> None: ...
    pose: Final[Pose]
    velocity: Final[_Array]
    rows: Final[int]
    def update(self, pose: Pose, velocity: npt.ArrayLike | None = ..., *, hand: int | None = ...) -> None: ...
    def hand_accelerations(self, acceleration: npt.ArrayLike, out: _Array | None = ...) -> _Array: ...
    def wrench(self, forces: _Array) -> _Array: ...
    def load(self, acceleration: npt.ArrayLike, gravity: npt.ArrayLike | None = ...) -> _Array: ...
    def distribute(self, wrench: npt.ArrayLike, wish: _Array | None = ..., out: _Array | None = ...) -> _Array: ...
    def squeeze(self, force: float, out: _Array | None = ...) -> _Array: ...
    def inertia(self, hands: _Array, out: _Array | None = ...) -> _Array: ...
    def bias(self, hands: _Array, hand_bias: _Array, gravity: npt.ArrayLike | None = ...) -> _Array: ...

class GraspController:
    def __init__(
        self,
        model: Model,
        hands: Iterable[_Place],
        object: HeldObject,
        *,
        gains: TaskGains | None = ...,
        squeeze: float = ...,
        tolerance: float = ...,
        below: Iterable[TaskLevel] = ...,
        held: Iterable[Constraint] = ...,
        singular: SingularityOptions | None = ...,
        posture_gains: TaskGains | None = ...,
        held_gains: TaskGains | None = ...,
        motors: Iterable[str] | None = ...,
        supports: Iterable[Support] = ...,
    ) -> None: ...
    model: Final[Model]
    controller: Final[OperationalController]
    def set_target(
        self,
        target: Pose | PoseTarget,
        *,
        velocity: npt.ArrayLike | None = ...,
        acceleration: npt.ArrayLike | None = ...,
    ) -> None: ...
    def set_posture(self, q: _Array) -> None: ...
    def compute(self, q: _Array, v: _Array, out: _Array | None = ...) -> _Array: ...
    def inertia(self, out: _Array | None = ...) -> _Array: ...
    status: Final[str]
    message: Final[str]
    @property
    def contact(self) -> ContactExcess | None: ...
    object_pose: Final[Pose]
    object_velocity: Final[_Array]
    acceleration: Final[_Array]
    forces: Final[_Array]

# ------------------------------------------------------------------------------------------------ batches

class Batch:
    def __init__(
        self,
        model: Model,
        size: int,
        dtype: npt.DTypeLike = ...,
        threads: int = ...,
        *,
        condensed: CondensedOptions | None = ...,
        proximal: ProximalOptions | None = ...,
    ) -> None: ...
    model: Final[Model]
    size: Final[int]
    dtype: Final[np.dtype[Any]]
    threads: Final[int]
    lanes: Final[int]
    bytes: Final[int]
    def set_constraints(self, constraints: Iterable[Constraint], environment: int | None = ...) -> None: ...
    def set_active(self, active: npt.NDArray[np.bool_]) -> None: ...
    def constraints(self, environment: int) -> tuple[Constraint, ...]: ...
    def rows(self, environment: int) -> int: ...
    max_rows: Final[int]
    num_structures: Final[int]
    def inverse_dynamics(
        self, q: _BatchArray, v: _BatchArray, acceleration: _BatchArray, out: _BatchArray | None = ...
    ) -> _BatchArray: ...
    def inertia_matrix(self, q: _BatchArray, out: _BatchArray | None = ...) -> _BatchArray: ...
    def forward_dynamics(
        self, q: _BatchArray, v: _BatchArray, tau: _BatchArray, out: _BatchArray | None = ...
    ) -> _BatchArray: ...
    def apply_at(self, q: _BatchArray, x: _BatchArray, out: _BatchArray | None = ...) -> _BatchArray: ...
    def solve_at(
        self, q: _BatchArray, damping: float | _BatchArray, b: _BatchArray, out: _BatchArray | None = ...
    ) -> _BatchArray: ...
    def dense(self, q: _BatchArray | None = ..., out: _BatchArray | None = ...) -> _BatchArray: ...
    def update(self, q: _BatchArray) -> None: ...
    def apply(self, x: _BatchArray, out: _BatchArray | None = ...) -> _BatchArray: ...
    def update_damping(self, damping: float | _BatchArray) -> None: ...
    def solve(self, b: _BatchArray, out: _BatchArray | None = ...) -> _BatchArray: ...
    def constrained_dynamics(
        self,
        q: _BatchArray,
        v: _BatchArray,
        tau: _BatchArray,
        *,
        start: _BatchArray | None = ...,
        baumgarte: Baumgarte | None = ...,
        out: tuple[_BatchArray, _BatchArray] | None = ...,
    ) -> tuple[_BatchArray, _BatchArray]: ...
    def contact_solve(
        self,
        q: _BatchArray,
        free_velocity: _BatchArray,
        *,
        start: _BatchArray | None = ...,
        compliance: _BatchArray | None = ...,
        law: Literal["coulomb", "convex"] = ...,
        time_step: float = ...,
        options: AdmmOptions | None = ...,
        out: _BatchArray | None = ...,
    ) -> _BatchArray: ...
    certificates: Final[tuple[ContactCertificate, ...]]
    statuses: Final[tuple[str, ...]]
    failed: Final[npt.NDArray[np.int64]]
    def message(self, environment: int) -> str: ...

class MotorModel(_Value):
    def __init__(
        self, delay: float = ..., lag: float = ..., knee_speed: float = ..., no_load_speed: float = ...
    ) -> None: ...
    delay: Final[float]
    lag: Final[float]
    knee_speed: Final[float]
    no_load_speed: Final[float]

class EnvironmentState(_Value):
    def __init__(
        self,
        simulation: SimulationState = ...,
        slots: Iterable[int] = ...,
        slot_impulses: npt.ArrayLike = ...,
        joint_impulses: npt.ArrayLike = ...,
        efforts: npt.ArrayLike = ...,
        commands: npt.ArrayLike = ...,
        lagged: npt.ArrayLike = ...,
    ) -> None: ...
    simulation: Final[SimulationState]
    slots: Final[tuple[int, ...]]
    slot_impulses: Final[_Array]
    joint_impulses: Final[_Array]
    efforts: Final[_Array]
    commands: Final[_Array]
    lagged: Final[_Array]

class BatchController:
    def __init__(
        self,
        model: Model,
        size: int,
        levels: Iterable[TaskLevel],
        held: Iterable[Constraint] = ...,
        *,
        posture_gains: TaskGains | None = ...,
        held_gains: TaskGains | None = ...,
        motors: Iterable[str] | None = ...,
        supports: Iterable[Support] = ...,
        threads: int = ...,
    ) -> None: ...
    model: Final[Model]
    size: Final[int]
    threads: Final[int]
    def compute(self, q: _Array, v: _Array, out: _Array | None = ...) -> _Array: ...
    def environment(self, environment: int) -> OperationalController: ...
    statuses: Final[tuple[str, ...]]

# ------------------------------------------------------------------------------------------------ sweeps

class SweepColumn(_Value):
    def __init__(
        self, name: str = ..., unit: str = ..., shape: Iterable[int] = ..., whole: bool = ...
    ) -> None: ...
    name: Final[str]
    unit: Final[str]
    shape: Final[tuple[int, ...]]
    whole: Final[bool]

class ParameterSweep:
    def __init__(self, spec: str | os.PathLike[str] | dict[str, Any]) -> None: ...
    def __len__(self) -> int: ...
    name: Final[str]
    columns: Final[tuple[SweepColumn, ...]]
    parameters: Final[tuple[str, ...]]
    status_words: Final[tuple[str, ...]]
    has_own_run: Final[bool]
    text: Final[str]
    hash: Final[str]
    base_directory: Final[str]
    def values(self, index: int) -> dict[str, float]: ...
    def seed(self, index: int) -> int: ...
    def run(self, first: int, end: int) -> dict[str, Any]: ...
