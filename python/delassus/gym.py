"""Vector environments for reinforcement learning, with the calls of Gymnasium's VectorEnv.

    env = delassus.gym.Go2Stand(1024)
    observations, infos = env.reset(seed=0)
    observations, rewards, terminated, truncated, infos = env.step(actions)

Where gymnasium is installed, environments are its VectorEnv and spaces its Box; without, they behave alike. docs/learning.md shows how to write your own.
"""

from __future__ import annotations

import enum
from typing import Any, Mapping, Sequence

import numpy as np

from delassus import _delassus
from delassus._errors import Error
from delassus._vector_simulator import VectorSimulator, _array, _shaped

__all__ = ["AutoresetMode", "Box", "CartPole", "Go2Stand", "VectorEnv"]


class _OwnAutoresetMode(enum.Enum):
    """What happens to an environment after its episode: the names and values of Gymnasium."""

    NEXT_STEP = "NextStep"
    SAME_STEP = "SameStep"
    DISABLED = "Disabled"


class _OwnBox:
    """Arrays with a lower and an upper bound for each number: what gymnasium.spaces.Box is, as far as it is used here."""

    def __init__(
        self, low: Any, high: Any, shape: Sequence[int] | None = None, dtype: Any = np.float32, seed: Any = None
    ) -> None:
        """low, high: numbers, or arrays of the shape; infinite where there is no bound."""
        self.dtype = np.dtype(dtype)
        self.shape = tuple(np.broadcast(low, high).shape if shape is None else shape)
        self.low = np.broadcast_to(np.asarray(low, self.dtype), self.shape).copy()
        self.high = np.broadcast_to(np.asarray(high, self.dtype), self.shape).copy()
        self._generator = np.random.default_rng(seed)

    def seed(self, seed: int | None = None) -> int | None:
        """What sample() draws from begins anew."""
        self._generator = np.random.default_rng(seed)
        return seed

    def sample(self) -> np.ndarray:
        """Uniform between two bounds, exponential from one, normal where there is none."""
        shape, below, above = self.shape, np.isfinite(self.low), np.isfinite(self.high)
        low, high = np.where(below, self.low, 0.0), np.where(above, self.high, 0.0)
        tail = self._generator.exponential(size=shape)
        out = np.where(below & above, self._generator.uniform(low, np.maximum(low, high)), self._generator.normal(size=shape))
        out = np.where(below & ~above, low + tail, np.where(above & ~below, high - tail, out))
        return out.astype(self.dtype)

    def contains(self, x: Any) -> bool:
        """Whether x is an array of this shape within the bounds."""
        x = np.asarray(x)
        return bool(np.can_cast(x.dtype, self.dtype) and x.shape == self.shape and np.all((x >= self.low) & (x <= self.high)))

    def __contains__(self, x: Any) -> bool:
        return self.contains(x)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _OwnBox):
            return NotImplemented
        same = self.shape == other.shape and self.dtype == other.dtype
        return same and np.array_equal(self.low, other.low) and np.array_equal(self.high, other.high)

    def __repr__(self) -> str:
        return f"Box({self.low.min(initial=np.inf)}, {self.high.max(initial=-np.inf)}, {self.shape}, {self.dtype})"


class _OwnVectorEnv:
    """What gymnasium.vector.VectorEnv has beside the calls."""

    spec = None
    render_mode = None
    closed = False

    @property
    def unwrapped(self) -> Any:
        """The environment itself."""
        return self


_Base: Any
try:
    from gymnasium.spaces import Box as _GymnasiumBox
    from gymnasium.vector import AutoresetMode as _GymnasiumMode
    from gymnasium.vector import VectorEnv as _GymnasiumVectorEnv
except ImportError:  # none, or one older than 1.1
    Box: Any = _OwnBox
    AutoresetMode: Any = _OwnAutoresetMode
    _Base = _OwnVectorEnv
else:
    Box, AutoresetMode, _Base = _GymnasiumBox, _GymnasiumMode, _GymnasiumVectorEnv


# Parameters of which an environment has one number.
_DRAWN = ("friction", "mass_scale", "inertia_scale", "kp", "kd", "effort_limit", "latency")


def _mode_of(autoreset: Any) -> Any:
    word = str(getattr(autoreset, "value", autoreset)).replace("_", "").lower()
    for mode in AutoresetMode:
        if mode.value.lower() == word:
            return mode
    raise Error(f"argument 'autoreset' is {autoreset!r}; give \"next_step\", \"same_step\" or \"disabled\"")


class VectorEnv(_Base):  # type: ignore[misc]
    """Many environments with a VectorSimulator each of one scene behind them. Derive from it, and write some of these:

    - start(which): states (q, v) that episodes of these environments begin in; draw with self.uniform and self.normal.
    - act(actions): writes them into self.sim.targets.
    - observe(): observations, from self.sim and self.actions. Called again after resets: it changes nothing.
    - reward(): of the step that just ended.
    - terminated(): which environments have failed at the task.

    sim is the VectorSimulator; actions and previous_actions are the last ones, clipped to the space, zero at the start of an episode; steps counts
    those of each episode.
    """

    def __init__(
        self,
        sim: VectorSimulator,
        *,
        observation_size: int,
        action_size: int | None = None,
        episode_steps: int = 1000,
        autoreset: Any = "next_step",
        randomize: Mapping[str, tuple[float, float]] | None = None,
    ) -> None:
        """episode_steps: the time limit, in steps of the policy. action_size: as many as there are targets, unless given; each from -1 to 1.

        autoreset: "next_step", "same_step" or "disabled", as Gymnasium has them. randomize: {parameter of VectorSimulator.randomize: (low, high)}; a number for
        each is drawn for an environment at the start of each of its episodes.
        """
        if episode_steps < 1:
            raise Error(f"argument 'episode_steps' is {episode_steps}; give one or more")
        self.sim = sim
        self.num_envs = sim.num_envs
        self.episode_steps = int(episode_steps)
        self.autoreset_mode = _mode_of(autoreset)
        self.metadata = {"autoreset_mode": self.autoreset_mode}
        self._ranges = dict(randomize or {})
        for name in self._ranges:
            if name not in _DRAWN:
                raise Error(f"argument 'randomize' has {name!r}; numbers are drawn for {', '.join(_DRAWN)}")
        size = sim.targets.shape[1] if action_size is None else action_size
        self.single_observation_space = Box(-np.inf, np.inf, (observation_size,), np.float32)
        self.observation_space = Box(-np.inf, np.inf, (self.num_envs, observation_size), np.float32)
        self.single_action_space = Box(-1.0, 1.0, (size,), np.float32)
        self.action_space = Box(-1.0, 1.0, (self.num_envs, size), np.float32)
        self.actions = np.zeros((self.num_envs, size))
        self.previous_actions = np.zeros((self.num_envs, size))
        self.steps = np.zeros(self.num_envs, dtype=np.int64)
        self._pending = np.zeros(self.num_envs, dtype=bool)
        self._generators: list[np.random.Generator] = []
        self._begin = (sim.q.astype(np.float64), sim.v.astype(np.float64))

    # ---------------------------------------------------------------------------------------------------- hooks

    def start(self, which: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """q and v that episodes of the environments `which` (numbers of them) begin in, (len(which), n) each. The scene's, unless you say otherwise."""
        return self._begin[0][which], self._begin[1][which]

    def act(self, actions: np.ndarray) -> None:
        """Actions (num_envs, action_size), within their space, become targets of motors. They are the targets, unless you say otherwise."""
        self.sim.targets[...] = actions

    def observe(self) -> np.ndarray:
        """Observations, (num_envs, observation_size)."""
        raise NotImplementedError(f"{type(self).__name__} needs observe()")

    def reward(self) -> np.ndarray:
        """Of the step that just ended, (num_envs,)."""
        raise NotImplementedError(f"{type(self).__name__} needs reward()")

    def terminated(self) -> np.ndarray:
        """Which environments have ended, time limits and failed steps apart, (num_envs,). None, unless you say otherwise."""
        return np.zeros(self.num_envs, dtype=bool)

    # --------------------------------------------------------------------------------------------- random numbers

    def uniform(self, which: np.ndarray, low: Any = 0.0, high: Any = 1.0, size: Any = ()) -> np.ndarray:
        """Numbers for the environments `which`, (len(which), *size), each from its own generator: the size of the batch changes none of them."""
        return np.stack([self._generators[e].uniform(low, high, size) for e in which])

    def normal(self, which: np.ndarray, size: Any = ()) -> np.ndarray:
        """As uniform, with mean 0 and standard deviation 1."""
        return np.stack([self._generators[e].normal(size=size) for e in which])

    def _seed(self, seed: int | Sequence[int | None] | None, which: np.ndarray) -> None:
        if not self._generators:
            fresh = np.random.SeedSequence().spawn(self.num_envs)
            self._generators = [np.random.Generator(np.random.Philox(s)) for s in fresh]
        if seed is None:
            return
        many = not isinstance(seed, (int, np.integer))
        if many and len(seed) != self.num_envs:  # type: ignore[arg-type]
            raise Error(f"argument 'seed' has {len(seed)} numbers for {self.num_envs} environments")  # type: ignore[arg-type]
        for e in which:
            own = seed[e] if many else seed  # type: ignore[index]
            if own is not None:
                sequence = np.random.SeedSequence(int(own), spawn_key=() if many else (int(e),))
                self._generators[e] = np.random.Generator(np.random.Philox(sequence))

    # ----------------------------------------------------------------------------------------------------- verbs

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Begins an episode in all environments, or in those of options={"reset_mask": (num_envs,) bools}.

        seed: environment e draws from numpy.random.SeedSequence(seed).spawn(...)[e], whatever num_envs is; or a list with one for each. Without it
        generators go on. Returns observations and {}.
        """
        mask = np.ones(self.num_envs, dtype=bool)
        if options is not None and options.get("reset_mask") is not None:
            mask = _shaped(_array(options["reset_mask"], "reset_mask", bool), "reset_mask", (self.num_envs,))
        self._seed(seed, np.flatnonzero(mask))
        self._begin_episodes(mask)
        return self._observations(), {}

    def step(self, actions: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """One step of the policy. Returns observations, rewards, terminated, truncated, infos.

        actions: (num_envs, action_size), of NumPy or of anything that exports DLPack; clipped to their space. truncated: the time limit, and nothing else,
        ended the episode. An environment whose simulation failed is terminated with reward 0, and infos has "failed" and "message" for it.
        """
        if not self._generators:
            raise Error("call reset() before step()")
        given = _array(actions, "actions")
        if given.shape != self.actions.shape:
            raise Error(f"argument 'actions' has shape {given.shape}, which does not fit {self.actions.shape}")
        self.previous_actions[...] = self.actions
        np.clip(given, self.single_action_space.low, self.single_action_space.high, out=self.actions)
        self.act(self.actions)
        self.sim.step()
        self.steps += 1
        waiting = self._pending
        failed = (self.sim.status != 0) & ~waiting
        terminated = (np.asarray(self.terminated(), dtype=bool) & ~waiting) | failed
        truncated = (self.steps >= self.episode_steps) & ~terminated & ~waiting
        rewards = np.where(failed | waiting, 0.0, self.reward())
        infos = self._failures(failed)
        done = terminated | truncated
        if self.autoreset_mode is AutoresetMode.NEXT_STEP:
            self._pending = done
            if waiting.any():
                self._begin_episodes(waiting)
        elif self.autoreset_mode is AutoresetMode.SAME_STEP and done.any():
            last = np.full(self.num_envs, None, dtype=object)
            observed = self._observations()
            for e in np.flatnonzero(done):
                last[e] = observed[e]
            told = {**infos, "steps": np.where(done, self.steps, 0), "_steps": done}
            infos = {**infos, "final_obs": last, "_final_obs": done, "final_info": told, "_final_info": done.copy()}
            self._begin_episodes(done)
        return self._observations(), rewards, terminated, truncated, infos

    def close(self, **kwargs: Any) -> None:
        """Nothing has to be closed; it is here for those who call it."""
        self.closed = True

    def __repr__(self) -> str:
        return f"{type(self).__name__}(num_envs={self.num_envs})"

    # ---------------------------------------------------------------------------------------------------- inside

    def _observations(self) -> np.ndarray:
        return np.array(self.observe(), dtype=np.float32)

    def _failures(self, failed: np.ndarray) -> dict[str, Any]:
        if not failed.any():
            return {}
        messages = np.full(self.num_envs, None, dtype=object)
        for e in np.flatnonzero(failed):
            messages[e] = self.sim.message(int(e))
        return {"failed": failed.copy(), "_failed": failed.copy(), "message": messages, "_message": failed.copy()}

    def _begin_episodes(self, mask: np.ndarray) -> None:
        which = np.flatnonzero(mask)
        if not len(which):
            return
        for name, (low, high) in self._ranges.items():
            drawn = np.ones(self.num_envs)
            drawn[which] = self.uniform(which, low, high)
            self.sim.randomize(mask, **{name: drawn})
        self.actions[which] = 0.0
        self.previous_actions[which] = 0.0
        self.steps[which] = 0
        self._pending = self._pending & ~mask
        q, v = np.zeros(self.sim.q.shape), np.zeros(self.sim.v.shape)
        q[which], v[which] = self.start(which)
        self.sim.reset(mask, q, v)


# ------------------------------------------------------------------------------------------------------------------


def _cart_pole() -> _delassus.Model:
    builder = _delassus.ModelBuilder("cart-pole")
    rail = _delassus.Joint("slide", kind="prismatic", axis=(1, 0, 0))
    builder.add_body("cart", "world", rail, _delassus.box_inertial(1.0, (0.1, 0.05, 0.05)))
    hinge = _delassus.Joint("hinge", kind="revolute", axis=(0, 1, 0))
    builder.add_body("pole", "cart", hinge, _delassus.cylinder_inertial(0.1, 0.02, 0.5, (0, 0, 0.5)))
    return builder.make_model()


class CartPole(VectorEnv):
    """A cart on a rail balances a pole of 1 m with forces up to 10 N: learnt in seconds.

    Observations: position of the cart in m, angle of the pole in rad, and their velocities. Reward 1 for each step, of 20 ms; an episode ends where the
    cart is 2.4 m from the middle or the pole leans by 12 degrees (those of Barto, Sutton and Anderson), or after 500 steps.
    """

    def __init__(self, num_envs: int, *, episode_steps: int = 500, autoreset: Any = "next_step", randomize: Any = None, **simulator: Any) -> None:
        """simulator: further arguments of VectorSimulator."""
        push = _delassus.Actuator("slide", kind="motor", effort_limit=10.0)
        sim = VectorSimulator(_cart_pole(), num_envs, **{"dt": 5e-3, "substeps": 4, "actuators": [push], **simulator})
        super().__init__(sim, observation_size=4, episode_steps=episode_steps, autoreset=autoreset, randomize=randomize)

    def start(self, which: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Near the middle, nearly upright, nearly at rest."""
        state = self.uniform(which, -0.05, 0.05, 4)
        return state[:, :2], state[:, 2:]

    def act(self, actions: np.ndarray) -> None:
        """Of the whole force."""
        self.sim.targets[...] = 10.0 * actions

    def observe(self) -> np.ndarray:
        """Position, angle, velocities."""
        return np.concatenate([self.sim.q, self.sim.v], axis=1)

    def reward(self) -> np.ndarray:
        """One for each step that it stood."""
        return np.ones(self.num_envs)

    def terminated(self) -> np.ndarray:
        """Off the rail, or leaning too far."""
        return (np.abs(self.sim.q[:, 0]) > 2.4) | (np.abs(self.sim.q[:, 1]) > np.radians(12))


class Go2Stand(VectorEnv):
    """Go2 lies on the floor as it fell. It has to get up, and to hold its height.

    Episodes begin in poses that were found by dropping it: turned by up to `tilt` from upright, in random postures. Actions are targets of the 12 joints
    around the standing posture: 0 is that posture, 1 is 0.8 rad from it for hips, 1.6 for thighs and 0.9 for calves.

    Observations (42): the direction of gravity in the base's axes, its angular velocity / 4, joint positions less the standing posture, joint velocities /
    20, last actions. Reward, 0 to 1: how upright it is, times how high and how near the standing posture; less for jerky actions. An environment that
    stood (base above 0.22 m and upright) and lies again is terminated.
    """

    height = 0.28  #: m, of the base when it stands
    reach = np.tile([0.8, 1.6, 0.9], 4)  #: rad, of actions

    def __init__(
        self,
        num_envs: int,
        *,
        tilt: float = np.pi,
        poses: int = 256,
        self_collisions: bool = False,
        episode_steps: int = 200,
        autoreset: Any = "next_step",
        randomize: Any = None,
        **simulator: Any,
    ) -> None:
        """tilt: rad, at most pi; poses: how many falls there are to begin from. self_collisions: legs meet legs, which runs outside of lanes.

        randomize: {"friction": (0.5, 1.2), "mass_scale": (0.9, 1.1), "latency": (0, 0.02), ...}. simulator: further arguments of VectorSimulator.
        """
        scene = _delassus.load("go2-standing")
        arguments = {
            "dt": 4e-3,
            "substeps": 5,
            "tolerance": 1e-3,
            "actuators": _delassus.position_actuators(scene.model, kp=60, kd=1.5),
            "options": _delassus.SimulationOptions(self_collisions=self_collisions),
            **simulator,
        }
        self.posture = np.asarray(scene.q[7:])
        self.falls = self._fallen(scene, arguments, tilt, poses)
        self._stood = np.zeros(num_envs, dtype=bool)
        sim = VectorSimulator(scene, num_envs, **arguments)
        super().__init__(sim, observation_size=42, episode_steps=episode_steps, autoreset=autoreset, randomize=randomize)

    @staticmethod
    def _fallen(scene: Any, arguments: dict[str, Any], tilt: float, poses: int) -> np.ndarray:
        """Configurations after a second and a half of falling, the same for all seeds."""
        rng = np.random.default_rng(0)
        drop = VectorSimulator(scene, poses, **arguments)
        # Its up axis is uniform on the cap of the sphere within the tilt.
        angle, towards = np.arccos(1 - rng.uniform(size=poses) * (1 - np.cos(tilt))), rng.uniform(0, 2 * np.pi, poses)
        q = np.tile(scene.q, (poses, 1))
        q[:, 2] = 0.6
        q[:, 3:7] = np.stack(
            [np.sin(angle / 2) * np.cos(towards), np.sin(angle / 2) * np.sin(towards), 0 * angle, np.cos(angle / 2)], axis=1
        )
        lower, upper = scene.model.lower[6:], scene.model.upper[6:]
        drop.reset(q=q)
        drop.targets[...] = np.clip(scene.q[7:] + rng.uniform(-1, 1, (poses, 12)) * Go2Stand.reach, lower, upper)
        drop.step(75)
        good = (drop.status == 0) & np.isfinite(drop.q).all(axis=1)
        return drop.q[good].astype(np.float64)

    def start(self, which: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """One of the falls, turned about the vertical, at rest."""
        drawn = self.uniform(which, size=2)
        q = self.falls[(drawn[:, 0] * len(self.falls)).astype(int)]
        q[:, :2] = 0.0
        c, s = np.cos(np.pi * drawn[:, 1]), np.sin(np.pi * drawn[:, 1])
        x, y, z, w = q[:, 3].copy(), q[:, 4].copy(), q[:, 5].copy(), q[:, 6].copy()
        q[:, 3], q[:, 4], q[:, 5], q[:, 6] = c * x - s * y, c * y + s * x, c * z + s * w, c * w - s * z
        self._stood[which] = False
        return q, np.zeros((len(which), self.sim.v.shape[1]))

    def act(self, actions: np.ndarray) -> None:
        """Targets around the standing posture."""
        self.sim.targets[...] = self.posture + self.reach * actions

    def gravity(self) -> np.ndarray:
        """Its direction in the base's axes, (num_envs, 3): (0, 0, -1) upright."""
        x, y, z, w = (self.sim.q[:, k] for k in (3, 4, 5, 6))
        return np.stack([2 * (w * y - x * z), -2 * (y * z + w * x), 2 * (x * x + y * y) - 1], axis=1)

    def observe(self) -> np.ndarray:
        """As the class says."""
        sim = self.sim
        return np.concatenate(
            [self.gravity(), sim.v[:, :3] / 4, sim.q[:, 7:] - self.posture, sim.v[:, 6:] / 20, self.actions], axis=1
        )

    def reward(self) -> np.ndarray:
        """As the class says."""
        upright = (1 - self.gravity()[:, 2]) / 2
        high = np.clip(self.sim.q[:, 2] / self.height, 0, 1)
        near = np.exp(-2 * np.mean((self.sim.q[:, 7:] - self.posture) ** 2, axis=1))
        jerk = np.mean((self.actions - self.previous_actions) ** 2, axis=1)
        return 0.2 * upright + upright * upright * high * (0.4 + 0.4 * near) - 0.02 * jerk

    def standing(self) -> np.ndarray:
        """Which environments stand: the base upright to 25 degrees, and above 0.22 m."""
        return (self.sim.q[:, 2] > 0.22) & (self.gravity()[:, 2] < -0.9)

    def terminated(self) -> np.ndarray:
        """Those that stood and lie again, below 0.12 m or on their side."""
        self._stood |= self.standing()
        return self._stood & ((self.sim.q[:, 2] < 0.12) | (self.gravity()[:, 2] > -0.3))
