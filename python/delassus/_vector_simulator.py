"""Many environments of one robot, stepped together: arrays in, arrays out."""

from __future__ import annotations

import weakref
from typing import Any, Iterable, Literal, Mapping, Sequence

import numpy as np

from delassus import _delassus
from delassus._errors import Error

# What may be given where numbers are asked for: NumPy arrays, tensors of torch or JAX on the host, lists, numbers.
_Numbers = Any


def _array(numbers: _Numbers, name: str, dtype: Any = np.float64) -> np.ndarray:
    """Of anything that NumPy makes an array of, or that exports DLPack."""
    if not isinstance(numbers, np.ndarray) and hasattr(numbers, "__dlpack__"):
        numbers = np.from_dlpack(numbers)
    try:
        return np.asarray(numbers, dtype=dtype)
    except (TypeError, ValueError, OverflowError) as error:
        raise TypeError(f"argument '{name}' has to be an array of numbers, not {type(numbers).__name__}") from error


def _shown(value: Any) -> str:
    try:
        return repr(value)
    except ValueError:  # an int of thousands of digits
        return f"an object of {type(value).__name__}"


def _shaped(array: np.ndarray, name: str, shape: tuple[int, ...]) -> np.ndarray:
    try:
        return np.ascontiguousarray(np.broadcast_to(array, shape))
    except ValueError:
        raise Error(f"argument '{name}' has shape {array.shape}, which does not fit {shape}") from None


class VectorSimulator:
    """Many simulations of one scene, stepped together, each with its own state, parameters and statuses.

    Arrays have a row for each environment and stay where they are: `torch.from_dlpack(sim.q)` shares their memory. What steps read (targets,
    target_velocity, tau) is written by you; everything else is written by step and reset, and is only read by you: what you write into it has no effect.

    An environment's motion depends on its own state, parameters and inputs alone, to the last bit. Calls run without the GIL.
    """

    #: The words for `status`, by its number: "ok", "bad_control", ...
    words: tuple[str, ...] = _delassus._BatchSimulator.words  # type: ignore[attr-defined]

    def __init__(
        self,
        scene: Any,
        num_envs: int,
        dt: float | None = None,
        substeps: int = 1,
        *,
        tolerance: float | None = None,
        actuators: Iterable[Any] = (),
        motors: Iterable[Any] = (),
        options: Any = None,
        solver: str | None = None,
        restitution: float | None = None,
        floating: bool | None = None,
        place_on_ground: bool | None = None,
        precision: Literal["float64", "float32"] = "float64",
        threads: int = 0,
        lanes: bool = True,
        device: str = "cpu",
    ) -> None:
        """scene, floating, place_on_ground: as of Simulator. dt: seconds of a step; substeps: steps in one step of the policy.

        tolerance: m/s by which contact forces may miss their law; 1e-4 is enough for learning. actuators: as of Simulator; motors: a MotorModel
        for each of them (delay, lag, torque-speed curve), or none. precision: of the arrays; steps are computed in float64. threads: 0 for one per core.
        lanes: False steps every environment by itself with the full collision. device: "cpu".
        """
        if not isinstance(device, str) or device != "cpu":
            raise Error(f"argument 'device' is {_shown(device)}; this build has \"cpu\" alone")
        if not isinstance(precision, str) or precision not in ("float64", "float32"):
            raise Error(f"argument 'precision' is {_shown(precision)}; give \"float64\" or \"float32\"")
        if not isinstance(substeps, int) or substeps < 1:
            raise Error(f"argument 'substeps' is {_shown(substeps)}; give a whole number of one or more")
        if tolerance is not None:
            options = (_delassus.SimulationOptions() if options is None else options).replace(tolerance=tolerance)
        self._batch = _delassus._BatchSimulator(  # type: ignore[attr-defined]
            *(scene, num_envs, options, dt, solver, None, restitution, tuple(actuators)),
            *(floating, place_on_ground, threads, lanes, tuple(motors)),
        )
        self.model = self._batch.model
        self.num_envs = int(num_envs)
        self.substeps = substeps
        self.dtype = np.dtype(precision)
        self._bodies = [body.name for body in self.model.bodies]
        self._make_arrays()
        self._parameters: dict[str, np.ndarray] = {}
        self._recordings: weakref.WeakSet[_delassus.Recording] = weakref.WeakSet()
        self._take_state()
        self._take_inputs()

    def _make_arrays(self) -> None:
        n, bodies, motors = self.num_envs, len(self._bodies), self._batch.control.shape[1]

        def zeros(*shape: int, dtype: Any = self.dtype) -> np.ndarray:
            return np.zeros((n, *shape), dtype=dtype)

        self.q, self.v = zeros(self.model.nq), zeros(self.model.nv)
        self.targets, self.target_velocity, self.tau = zeros(motors), zeros(motors), zeros(self.model.nv)
        self.efforts = zeros(motors)
        self.contact_force, self.in_contact = zeros(bodies, 3), zeros(bodies, dtype=bool)
        self.status, self.residual = zeros(dtype=np.uint8), zeros()
        self.iterations, self.in_lanes = zeros(dtype=np.int32), zeros(dtype=bool)
        self.time = zeros(dtype=np.float64)

    def _take_state(self) -> None:
        b = self._batch
        self.q[...], self.v[...], self.efforts[...] = b.q, b.v, b.efforts
        self.contact_force[...] = b.contact_force.reshape(self.contact_force.shape)
        self.in_contact[...] = b.in_contact
        self.status[...], self.residual[...], self.iterations[...], self.in_lanes[...] = b.summaries()
        self.time[...] = b.times()

    def _take_inputs(self, mask: np.ndarray | None = None) -> None:
        """What environments of the mask begin with."""
        where = slice(None) if mask is None else mask
        self.targets[where] = self._batch.control[where]
        self.target_velocity[where] = self._batch.target_velocity[where]
        self.tau[where] = self._batch.forces[where]

    def __repr__(self) -> str:
        return f"VectorSimulator({self.model.name!r}, num_envs={self.num_envs}, dt={self.dt}, substeps={self.substeps})"

    # ---------------------------------------------------------------------------------------------- what it is

    @property
    def dt(self) -> float:
        """Seconds of a step of the simulation; a step of the policy has `substeps` of them."""
        return float(self._batch.options.dt)

    @property
    def actuators(self) -> tuple[Any, ...]:
        """Those that were given, one for each column of targets."""
        return tuple(self._batch.actuators)

    @property
    def threads(self) -> int:
        """That steps run on, the caller's among them."""
        return int(self._batch.threads)

    @property
    def lanes(self) -> int:
        """Environments in one vector of the processor; 1 if none run side by side, and `lanes_refused` says why."""
        return int(self._batch.lanes)

    @property
    def lanes_refused(self) -> str:
        """Why environments do not run side by side, in words; empty if they do."""
        return str(self._batch.lanes_refused)

    @property
    def nbytes(self) -> int:
        """Memory of all environments."""
        return int(self._batch.bytes)

    def body_index(self, name: str) -> int:
        """The column of a body in contact_force and in_contact."""
        if name in self._bodies:
            return self._bodies.index(name)
        raise Error(f"there is no body {name!r}; there are {', '.join(self._bodies)}")

    def message(self, environment: int) -> str:
        """The status of an environment in words; empty if it is ok."""
        return str(self._batch.message(environment))

    # --------------------------------------------------------------------------------------------------- verbs

    def step(self, n: int = 1) -> int:
        """n times `substeps` steps of every environment, with what stands in targets, target_velocity and tau.

        Returns how many environments did not go all the way: those are in their last good state, and `status` and `message` say why.
        """
        b = self._batch
        b.control[...], b.target_velocity[...], b.forces[...] = self.targets, self.target_velocity, self.tau
        failed = b.step(n, self.substeps, list(self._recordings))
        self._take_state()
        return int(failed)

    def reset(self, mask: _Numbers = None, q: _Numbers = None, v: _Numbers = None, time: float = 0.0) -> None:
        """Environments of the mask (num_envs bools; None: all) begin anew, as new ones would: nothing of before is left.

        q and v: (num_envs, n), of which rows of the mask are read, or (n,) for all; None: as the scene begins, and at rest if q alone is given. Targets of
        position actuators hold the posture. Raises Error for the first environment whose state makes no sense, and changes none.
        """
        chosen = None if mask is None else _shaped(_array(mask, "mask", bool), "mask", (self.num_envs,))
        if q is None and v is not None:
            raise Error("argument 'v' is given without 'q'")
        if q is None:
            self._batch.reset(chosen, None, None, time)
        else:
            at = _shaped(_array(q, "q"), "q", self.q.shape)
            velocity = np.zeros(self.v.shape) if v is None else _shaped(_array(v, "v"), "v", self.v.shape)
            self._batch.reset(chosen, at, velocity, time)
        self._take_inputs(chosen)
        self._take_state()

    def randomize(
        self,
        mask: _Numbers = None,
        *,
        friction: _Numbers = None,
        mass_scale: _Numbers = None,
        inertia_scale: _Numbers = None,
        com_offset: _Numbers = None,
        kp: _Numbers = None,
        kd: _Numbers = None,
        effort_limit: _Numbers = None,
        latency: _Numbers = None,
        gravity: _Numbers = None,
    ) -> None:
        """Other parameters for environments of the mask (None: all), from the next step on. What is not given stays.

        friction (n,): coefficient of all sliding contacts. mass_scale, inertia_scale: factors, (n,) for all bodies, (n, bodies), or a dict {body: (n,)}.
        com_offset: m in the body's axes, (n, bodies, 3) or a dict {body: (n, 3)}. kp, kd, effort_limit: (n,), or (n, actuators). latency (n,): s.
        gravity: (3,) or (n, 3). A number is for all. Rows of environments that are not in the mask are not read.
        """
        n, bodies, motors = self.num_envs, len(self._bodies), self.targets.shape[1]
        chosen = None if mask is None else _shaped(_array(mask, "mask", bool), "mask", (n,))
        given: dict[str, np.ndarray] = {}
        for name, value in (("mass_scale", mass_scale), ("inertia_scale", inertia_scale)):
            if value is not None:
                given[name] = self._per_body(name, value, np.ones((n, bodies, 1))).reshape(n, bodies)
        if com_offset is not None:
            given["com_offset"] = self._per_body("com_offset", com_offset, np.zeros((n, bodies, 3))).reshape(n, 3 * bodies)
        for name, value, width in (
            ("friction", friction, 1),
            ("latency", latency, 1),
            ("gravity", gravity, 3),
            ("kp", kp, motors),
            ("kd", kd, motors),
            ("effort_limit", effort_limit, motors),
        ):
            if value is not None:
                array = _array(value, name)
                if array.ndim == 1 and name != "gravity":
                    array = array.reshape(-1, 1)
                given[name] = _shaped(array, name, (n, width))
        self._batch.set_parameters(chosen, given)
        rows = slice(None) if chosen is None else chosen
        for name in ("mass_scale", "inertia_scale", "com_offset"):
            if name in given:
                kept = self._parameters.setdefault(name, np.full_like(given[name], 0.0 if name == "com_offset" else 1.0))
                kept[rows] = given[name][rows]

    def _per_body(self, name: str, value: _Numbers, usual: np.ndarray) -> np.ndarray:
        if not isinstance(value, Mapping):
            array = _array(value, name)
            if usual.shape[2] == 1:
                array = array.reshape(-1, 1) if array.ndim == 1 else array
                array = array[..., None] if array.ndim == 2 else array
            return _shaped(array, name, usual.shape)
        out = self._parameters[name].reshape(usual.shape).copy() if name in self._parameters else usual
        for body, numbers in value.items():
            array = _array(numbers, name)
            array = array.reshape(-1, 1) if array.ndim == 1 and usual.shape[2] == 1 else array
            out[:, self.body_index(body)] = _shaped(array, f"{name}[{body!r}]", (self.num_envs, usual.shape[2]))
        return out

    def save(self, environment: int) -> Any:
        """The EnvironmentState of an environment, parameters apart: what is restored goes on bit for bit."""
        return self._batch.save(environment)

    def restore(self, environment: int, state: Any) -> None:
        """An environment goes on from an EnvironmentState of a VectorSimulator of the same scene."""
        self._batch.restore(environment, state)
        mask = np.zeros(self.num_envs, dtype=bool)
        mask[environment] = True
        self._take_inputs(mask)
        self._take_state()

    def record(self, environments: int | Sequence[int] = 0, fps: int = 50, spacing: float = 1.0) -> _delassus.Recording:
        """A Recording of these environments, side by side with `spacing` metres between them: each step of the policy that is due adds a frame.

        It shows motions; forces and Λ⁻¹ are in recordings of a Simulator.
        """
        which = [environments] if isinstance(environments, (int, np.integer)) else list(environments)
        recording = self._batch.record(which, fps, spacing, self.substeps)
        self._recordings.add(recording)
        return recording

    # ------------------------------------------------------------------------------------------------- sensors

    def poses(self, frames: str | Sequence[str]) -> np.ndarray:
        """Of frames or bodies, (num_envs, frames, 7): position in m and quaternion x y z w, world axes."""
        names = [frames] if isinstance(frames, str) else list(frames)
        out = np.empty((self.num_envs, 7 * len(names)))
        self._batch.frame_poses(names, out)
        return out.reshape(self.num_envs, len(names), 7).astype(self.dtype, copy=False)

    def velocities(self, frames: str | Sequence[str]) -> np.ndarray:
        """Of frames or bodies, (num_envs, frames, 6): linear in m/s, of the origin, then angular in rad/s, world axes."""
        names = [frames] if isinstance(frames, str) else list(frames)
        out = np.empty((self.num_envs, 6 * len(names)))
        self._batch.frame_velocities(names, out)
        return out.reshape(self.num_envs, len(names), 6).astype(self.dtype, copy=False)

    def watch_imu(self, frame: str) -> None:
        """From the next step on, `imu` measures at this frame or body."""
        self._batch.watch_acceleration(frame)

    def imu(self) -> np.ndarray:
        """(num_envs, 6): angular velocity in rad/s, then acceleration less gravity in m/s² over the last step, in the axes of the watched frame."""
        out = np.empty((self.num_envs, 6))
        self._batch.imu(out)
        return out.astype(self.dtype, copy=False)

    def height_scan(self, frame: str, points: _Numbers) -> np.ndarray:
        """World z of planes and height fields under points (k, 2) around a frame: (num_envs, k), in m.

        Points turn with the frame about the vertical alone. Where there is no ground it is not a number.
        """
        xy = _array(points, "points")
        if xy.ndim != 2 or xy.shape[1] != 2:
            raise Error(f"argument 'points' has shape {xy.shape}; give x, y pairs, (k, 2)")
        out = np.empty((self.num_envs, len(xy)))
        self._batch.height_scan(frame, xy.reshape(-1).tolist(), out)
        return out.astype(self.dtype, copy=False)
