"""Vector environments: the calls of Gymnasium, episodes, seeds, and that something is learnt."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import delassus

ROOT = Path(__file__).resolve().parents[2]


def cart(n: int = 4, **arguments: Any) -> Any:
    return delassus.gym.CartPole(n, threads=1, **arguments)


def fall(env: Any, most: int = 400) -> tuple[Any, ...]:
    """Pushes to the right until the first pole has fallen; returns that step."""
    for _ in range(most):
        out = env.step(np.ones(env.action_space.shape))
        if out[2][0]:
            return out
    raise AssertionError("no pole fell")


# ------------------------------------------------------------------------------------------------------- signature


def test_calls_have_the_shapes_of_gymnasium() -> None:
    env = cart(3)
    assert env.num_envs == 3 and env.metadata["autoreset_mode"] is delassus.gym.AutoresetMode.NEXT_STEP
    observations, infos = env.reset(seed=0)
    assert observations.shape == (3, 4) and observations.dtype == np.float32 and infos == {}
    assert env.observation_space.contains(observations) and env.single_observation_space.contains(observations[0])
    actions = env.action_space.sample()
    assert actions.shape == (3, 1) and env.action_space.contains(actions) and env.single_action_space.contains(actions[0])
    observations, rewards, terminated, truncated, infos = env.step(actions)
    assert observations.shape == (3, 4) and rewards.shape == (3,) and rewards.dtype == np.float64
    assert terminated.dtype == truncated.dtype == bool and infos == {}
    env.close()
    assert env.closed


def test_observations_are_not_overwritten_by_the_next_step() -> None:
    env = cart()
    first, _ = env.reset(seed=0)
    kept = first.copy()
    env.step(np.ones((4, 1)))
    np.testing.assert_array_equal(first, kept)


def test_it_is_gymnasiums_class_where_that_is_installed() -> None:
    gymnasium = pytest.importorskip("gymnasium")
    env = cart()
    assert isinstance(env, gymnasium.vector.VectorEnv) and isinstance(env.action_space, gymnasium.spaces.Box)


def test_box() -> None:
    """The one that stands in where gymnasium is not installed."""
    from delassus.gym import _OwnBox

    box = _OwnBox([-1, 0, -np.inf, -np.inf], [1, np.inf, 3, np.inf])
    box.seed(3)
    samples = np.stack([box.sample() for _ in range(200)])
    assert samples.dtype == np.float32 and all(box.contains(s) for s in samples) and samples[0] in box
    box.seed(3)
    np.testing.assert_array_equal(box.sample(), samples[0])
    assert not box.contains(np.array([2, 1, 0, 0], np.float32)) and not box.contains(np.zeros(3, np.float32))
    assert box == _OwnBox(box.low, box.high) and box != _OwnBox(-1, 1, (4,))


def test_wrong_calls_name_what_is_wrong() -> None:
    env = cart()
    with pytest.raises(delassus.Error, match="call reset"):
        env.step(np.zeros((4, 1)))
    env.reset(seed=0)
    with pytest.raises(delassus.Error, match="'actions' has shape"):
        env.step(np.zeros((3, 1)))
    with pytest.raises(delassus.Error, match="'autoreset' is 'never'"):
        cart(autoreset="never")
    with pytest.raises(delassus.Error, match="'seed' has 2 numbers"):
        env.reset(seed=[1, 2])
    with pytest.raises(delassus.Error, match="'reset_mask'"):
        env.reset(options={"reset_mask": np.ones(3, bool)})
    with pytest.raises(delassus.Error, match="'randomize' has 'colour'"):
        cart(randomize={"colour": (0, 1)}).reset(seed=0)


# -------------------------------------------------------------------------------------------------------- episodes


def test_next_step_resets_at_the_next_step() -> None:
    env = cart()
    env.reset(seed=0)
    observations, rewards, terminated, truncated, infos = fall(env)
    assert abs(observations[0, 1]) > np.radians(12) and rewards[0] == 1 and not truncated[0] and "final_obs" not in infos
    before = env.steps.copy()
    observations, rewards, again, truncated, _ = env.step(np.ones((4, 1)))
    assert np.abs(observations[0]).max() <= 0.05 and rewards[0] == 0 and not again[0] and not truncated[0]
    assert env.steps[0] == 0
    others = ~terminated
    assert np.array_equal(env.steps[others], before[others] + 1)


def test_same_step_hands_over_what_was_last_seen() -> None:
    twin, env = cart(autoreset="disabled"), cart(autoreset="same_step")
    env.reset(seed=0)
    twin.reset(seed=0)
    expected, observed = fall(twin), fall(env)
    assert np.array_equal(observed[2], expected[2])
    done, infos = observed[2], observed[4]
    assert np.array_equal(infos["_final_obs"], done) and np.array_equal(infos["_final_info"], done)
    for e in range(4):
        if done[e]:
            np.testing.assert_array_equal(infos["final_obs"][e], expected[0][e])
            assert infos["final_info"]["steps"][e] == twin.steps[e] and np.abs(observed[0][e]).max() <= 0.05
        else:
            assert infos["final_obs"][e] is None
            np.testing.assert_array_equal(observed[0][e], expected[0][e])


def test_disabled_leaves_resets_to_the_caller() -> None:
    env = cart(autoreset="disabled")
    env.reset(seed=0)
    fall(env)
    observations, _, terminated, _, _ = env.step(np.zeros((4, 1)))
    assert terminated[0] and abs(observations[0, 1]) > np.radians(12)
    mask = np.array([True, False, False, False])
    after, _ = env.reset(options={"reset_mask": mask})
    assert np.abs(after[0]).max() <= 0.05 and env.steps[0] == 0
    np.testing.assert_array_equal(after[1:], observations[1:])


def test_time_limits_truncate_and_falls_terminate() -> None:
    env = cart(episode_steps=3)
    env.reset(seed=0)
    ends = [env.step(np.zeros((4, 1)))[2:4] for _ in range(4)]
    assert [t.any() for t, _ in ends] == [False] * 4
    assert [t.all() for _, t in ends] == [False, False, True, False]
    env = cart(episode_steps=1)
    env.reset(seed=0)
    env.sim.reset(q=[0.0, 0.3])  # it leans already, and the time is over in the same step
    _, _, terminated, truncated, _ = env.step(np.zeros((4, 1)))
    assert terminated.all() and not truncated.any()


@pytest.mark.parametrize("mode", ["next_step", "same_step"])
def test_an_environment_that_fails_is_terminated_told_and_reset(mode: str) -> None:
    env, twin = cart(autoreset=mode), cart(autoreset=mode)
    env.reset(seed=0)
    twin.reset(seed=0)
    actions = np.full((4, 1), 0.1)
    healthy = twin.step(actions)
    actions[2] = np.nan
    observations, rewards, terminated, _, infos = env.step(actions)
    assert terminated.tolist() == [False, False, True, False] and rewards.tolist() == [1, 1, 0, 1]
    assert np.array_equal(infos["failed"], terminated) and np.array_equal(infos["_failed"], terminated)
    assert infos["message"][2] and infos["message"][0] is None
    np.testing.assert_array_equal(observations[[0, 1, 3]], healthy[0][[0, 1, 3]])
    for _ in range(3):
        observations, rewards, terminated, _, infos = env.step(np.zeros((4, 1)))
        assert not terminated.any() and infos == {} and np.isfinite(observations).all()
    assert rewards.tolist() == [1, 1, 1, 1]


# ------------------------------------------------------------------------------------------------------------ seeds


def history(make: Any, n: int, steps: int, seed: int = 5) -> np.ndarray:
    env = make(n)
    rng = np.random.default_rng(1)
    actions = rng.uniform(-1, 1, (steps, 8, env.single_action_space.shape[0]))
    out = [env.reset(seed=seed)[0][:2]]
    for k in range(steps):
        observations, rewards, *_ = env.step(actions[k, :n])
        out.append(np.concatenate([observations[:2, :-1], rewards[:2, None].astype(np.float32)], axis=1))
    return np.array(out[1:])


RANGES = {"friction": (0.4, 1.0), "mass_scale": (0.9, 1.1), "kp": (50.0, 70.0), "latency": (0.0, 0.02)}


def same_for_any_batch(make: Any) -> None:
    two = history(make, 2, 25)
    np.testing.assert_array_equal(two, history(make, 8, 25))
    np.testing.assert_array_equal(two, history(make, 2, 25))
    assert not np.array_equal(two, history(make, 2, 25, seed=6))


def test_the_same_seed_gives_the_same_bits_for_any_batch() -> None:
    same_for_any_batch(lambda n: cart(n, episode_steps=9, randomize={"mass_scale": (0.8, 1.2)}))
    for lanes in (True, False):
        same_for_any_batch(
            lambda n: delassus.gym.Go2Stand(n, poses=16, episode_steps=9, autoreset="same_step", randomize=RANGES, lanes=lanes)
        )


def test_seeds_of_one_list_and_generators_that_go_on() -> None:
    env = cart()
    first, _ = env.reset(seed=[1, 2, 1, None])
    np.testing.assert_array_equal(first[0], first[2])
    assert not np.array_equal(first[0], first[1])
    second, _ = env.reset()
    assert not np.array_equal(first, second)
    np.testing.assert_array_equal(second[0], second[2])


# -------------------------------------------------------------------------------------------------------- Go2Stand


def test_go2_begins_fallen_and_above_the_ground() -> None:
    env = delassus.gym.Go2Stand(64, poses=64, autoreset="disabled")
    observations, _ = env.reset(seed=0)
    assert observations.shape == (64, 42) and len(env.falls) > 60
    up = -env.gravity()[:, 2]
    assert up.min() < -0.9 and up.max() > 0.9  # on its back, and on its belly
    np.testing.assert_allclose(np.linalg.norm(env.gravity(), axis=1), 1, atol=1e-9)  # quaternions of the simulator are normal to rounding
    assert env.standing().mean() < 0.2
    for _ in range(10):
        _, rewards, _, _, infos = env.step(np.zeros((64, 12)))
        assert infos == {} and (rewards > -0.1).all() and (rewards <= 1).all()


def test_gravity_in_the_axes_of_the_base_is_that_of_its_pose() -> None:
    env = delassus.gym.Go2Stand(8, poses=16)
    env.reset(seed=0)
    x, y, z, w = env.sim.poses("base")[:, 0, 3:].T
    down = np.stack([-2 * (x * z - w * y), -2 * (y * z + w * x), -(1 - 2 * (x * x + y * y))], axis=1)
    np.testing.assert_allclose(env.gravity(), down, atol=1e-12)  # some roundings of numbers below two


def test_go2_that_falls_again_is_terminated() -> None:
    env = delassus.gym.Go2Stand(2, poses=16, autoreset="disabled")
    env.reset(seed=0)
    env.sim.reset()  # it stands, as the scene does
    assert not env.step(np.zeros((2, 12)))[2].any() and env.standing().all()
    lying = env.sim.q.astype(float)
    lying[1] = env.falls[0]
    env.sim.reset(q=lying)
    assert env.step(np.zeros((2, 12)))[2].tolist() == [False, bool(env.sim.q[1, 2] < 0.12 or env.gravity()[1, 2] > -0.3)]


# ----------------------------------------------------------------------------------------------------- own, tensors


class Reach(delassus.gym.VectorEnv):  # type: ignore[misc]
    """As docs/learning.md has it: a hook for each question."""

    def observe(self) -> np.ndarray:
        return self.sim.q - 0.5

    def reward(self) -> np.ndarray:
        return -np.abs(self.sim.q[:, 0] - 0.5)


def test_an_environment_of_your_own() -> None:
    builder = delassus.ModelBuilder("hinge")
    builder.add_body("bar", "world", delassus.Joint("hinge"), delassus.box_inertial(1.0, (0.5, 0.1, 0.1), (0.5, 0, 0)))
    motor = [delassus.Actuator("hinge", kind="position", kp=200.0, kd=20.0)]
    sim = delassus.VectorSimulator(builder.make_model(), 3, dt=5e-3, actuators=motor, threads=1)
    env = Reach(sim, observation_size=1, episode_steps=400)
    env.reset(seed=0)
    for _ in range(300):
        _, rewards, *_ = env.step(np.full((3, 1), 0.5))
    # The hinge turns about z, with gravity along it: the motor reaches its target. Time constant 0.1 s, so 1.5 s leave exp(-15).
    np.testing.assert_allclose(rewards, 0, atol=1e-5)


class Exports:
    """Something with DLPack that is no array."""

    def __init__(self, array: np.ndarray) -> None:
        self.array = array

    def __dlpack__(self, **kwargs: Any) -> Any:
        return self.array.__dlpack__(**kwargs)

    def __dlpack_device__(self) -> Any:
        return self.array.__dlpack_device__()


def test_dlpack_in_and_out() -> None:
    env, twin = cart(), cart()
    env.reset(seed=0)
    twin.reset(seed=0)
    shared = np.from_dlpack(env.sim.q)
    assert np.shares_memory(shared, env.sim.q)
    actions = np.full((4, 1), 0.3, np.float32)
    np.testing.assert_array_equal(env.step(Exports(actions))[0], twin.step(actions)[0])
    np.testing.assert_array_equal(shared, twin.sim.q)


def test_tensors_of_torch_share_memory() -> None:
    torch = pytest.importorskip("torch")
    env = cart()
    env.reset(seed=0)
    q = torch.from_dlpack(env.sim.q)
    env.step(torch.full((4, 1), 0.3))
    np.testing.assert_array_equal(q.numpy(), env.sim.q)


# --------------------------------------------------------------------------------------------------------- learning


def example() -> Any:
    spec = importlib.util.spec_from_file_location("learn_to_stand", ROOT / "examples/learn_to_stand.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["learn_to_stand"] = module
    spec.loader.exec_module(module)
    return module


def test_a_policy_learns(tmp_path: Path) -> None:
    """A pole that nothing holds falls after some 40 steps, and one pushed at random sooner. To stand for twice that long a policy has to push against the
    lean; 40 iterations of a fixed seed reach several times as much, whatever the machine: their number is fixed, not the time."""
    learn = example()
    judge = cart(64, autoreset="disabled")
    limp = learn.evaluate(judge, None, seed=1)[0]
    policy, progress = learn.learn(cart(128, autoreset="same_step"), seconds=600, iterations=40, hidden=32, seed=0, report=lambda _: None)
    assert 20 < limp < 80
    assert learn.evaluate(judge, policy, seed=1)[0] > 2 * limp
    assert progress.returns[-1] > 2 * progress.returns[3]
    policy.save(tmp_path / "policy.npz")
    assert np.array_equal(np.load(tmp_path / "policy.npz")["w0"], policy.mean.weights[0])
    assert learn.write_curve(progress, tmp_path, "CartPole").stat().st_size > 1000
