"""Go2 learns to get up from a fall: PPO (Schulman et al., "Proximal Policy Optimization Algorithms") in NumPy, on delassus.gym.

    python3 examples/learn_to_stand.py --seconds 300

writes the policy (policy.npz), the learning curve (curve.svg, or curve.csv without matplotlib) and a page on which eight robots do what was learnt
(page.html) into --out.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import delassus


class Network:
    """A perceptron with two hidden layers of tanh, and its derivative; Adam moves its weights."""

    def __init__(self, rng: np.random.Generator, sizes: tuple[int, ...], last: float) -> None:
        self.weights: list[np.ndarray] = []
        for i, (m, n) in enumerate(zip(sizes, sizes[1:])):
            scale = (last if i == len(sizes) - 2 else 1.0) / np.sqrt(m)
            self.weights += [(scale * rng.normal(size=(m, n))).astype(np.float32), np.zeros(n, np.float32)]

    def __call__(self, x: np.ndarray) -> tuple[np.ndarray, list[np.ndarray]]:
        layers = [x]
        for i in range(0, len(self.weights), 2):
            x = x @ self.weights[i] + self.weights[i + 1]
            if i < len(self.weights) - 2:
                x = np.tanh(x)
            layers.append(x)
        return x, layers

    def gradient(self, layers: list[np.ndarray], g: np.ndarray) -> list[np.ndarray]:
        """Of a loss, by weights, from the one by the output."""
        out: list[np.ndarray] = []
        for i in range(len(self.weights) - 2, -1, -2):
            if i < len(self.weights) - 2:
                g = g * (1 - layers[i // 2 + 1] ** 2)
            out = [layers[i // 2].T @ g, g.sum(axis=0), *out]
            if i:
                g = g @ np.ascontiguousarray(self.weights[i].T)  # a copy: plain BLAS is slow with transposed ones
        return out


class Adam:
    """Kingma and Ba, with the gradient's norm bounded by one."""

    def __init__(self, weights: list[np.ndarray]) -> None:
        self.weights, self.steps = weights, 0
        self.mean, self.square = [np.zeros_like(w) for w in weights], [np.zeros_like(w) for w in weights]

    def step(self, gradient: list[np.ndarray], rate: float) -> None:
        self.steps += 1
        norm = np.sqrt(sum(float((g * g).sum()) for g in gradient))
        fix = np.float32(np.sqrt(1 - 0.999**self.steps) / (1 - 0.9**self.steps))
        for w, g, m, s in zip(self.weights, gradient, self.mean, self.square):
            g = g / max(1.0, norm)
            m += 0.1 * (g - m)
            s += 0.001 * (g * g - s)
            w -= np.float32(rate) * fix * m / (np.sqrt(s) + 1e-8)


class Policy:
    """Means of actions by a network, a standard deviation for each, and the observations' own scale."""

    def __init__(self, rng: np.random.Generator, observations: int, actions: int, hidden: int) -> None:
        self.mean = Network(rng, (observations, hidden, hidden, actions), 0.01)
        self.value = Network(rng, (observations, hidden, hidden, 1), 1.0)
        self.log_std = np.full(actions, -1.2, np.float32)
        self.count, self.centre, self.square = 1e-4, np.zeros(observations), np.ones(observations)

    def seen(self, observations: np.ndarray) -> None:
        """Mean and variance of all observations so far."""
        n = len(observations)
        step = observations.mean(axis=0) - self.centre
        total = self.count + n
        self.square = (self.square * self.count + observations.var(axis=0) * n + step**2 * self.count * n / total) / total
        self.centre, self.count = self.centre + step * n / total, total

    def scaled(self, observations: np.ndarray) -> np.ndarray:
        return np.clip((observations - self.centre) / np.sqrt(self.square + 1e-8), -5, 5).astype(np.float32)

    def __call__(self, observations: np.ndarray) -> np.ndarray:
        """Actions without noise."""
        return self.mean(self.scaled(observations))[0]

    def save(self, file: Path) -> None:
        weights = {f"w{i}": w for i, w in enumerate(self.mean.weights)}
        np.savez(file, centre=self.centre, square=self.square, log_std=self.log_std, **weights)


class Progress(NamedTuple):
    """The learning curve, a row for each iteration."""

    seconds: list[float]
    steps: list[int]
    returns: list[float]  # mean over the episodes that ended last


def learn(
    env: Any,
    *,
    seconds: float,
    seed: int = 0,
    horizon: int = 32,
    hidden: int = 64,
    rate: float = 1e-3,
    discount: float = 0.98,
    iterations: int | None = None,
    report: Any = print,
) -> tuple[Policy, Progress]:
    """PPO with clipped ratios and generalised advantages, until the seconds or the iterations are over. env: a VectorEnv with autoreset="same_step"."""
    rng = np.random.default_rng(seed)
    n, size = env.num_envs, env.single_observation_space.shape[0]
    policy = Policy(rng, size, env.single_action_space.shape[0], hidden)
    optimiser = Adam([*policy.mean.weights, *policy.value.weights, policy.log_std])
    progress, ended, told = Progress([], [], []), [], 0.0
    running, steps, stepping = np.zeros(n), 0, 0.0
    observation, _ = env.reset(seed=seed)
    # Episodes that begin together would end together: their lengths differ in the first round.
    env.steps[...] = rng.integers(0, env.episode_steps, n)
    begin = time.perf_counter()
    while time.perf_counter() - begin < seconds and (iterations is None or len(progress.steps) < iterations):
        policy.seen(observation)
        xs, acts, rewards, values, nexts, ends = [], [], [], [], [], []
        std = np.exp(policy.log_std)
        for _ in range(horizon):
            x = policy.scaled(observation)
            action = policy.mean(x)[0] + std * rng.normal(size=(n, len(std))).astype(np.float32)
            before = time.perf_counter()
            observation, reward, terminated, truncated, infos = env.step(action)
            stepping += time.perf_counter() - before
            done = terminated | truncated
            # What follows: the value of the next observation, which is the last of its episode where the time was over; nothing after a fall.
            follow = policy.value(policy.scaled(observation))[0][:, 0]
            if truncated.any():
                final = np.stack(list(infos["final_obs"][truncated]))
                follow[truncated] = policy.value(policy.scaled(final))[0][:, 0]
            follow[terminated] = 0.0
            xs.append(x), acts.append(action), rewards.append(reward), nexts.append(follow), ends.append(done)
            values.append(policy.value(x)[0][:, 0])
            running += reward
            ended += list(running[done])
            running[done] = 0.0
        steps += n * horizon
        ended = ended[-2 * n :]
        advantage, sums = np.zeros(n), []
        for reward, value, follow, done in zip(rewards[::-1], values[::-1], nexts[::-1], ends[::-1]):
            advantage = reward + discount * follow - value + 0.95 * discount * np.where(done, 0.0, advantage)
            sums.append(advantage)
        a = np.concatenate(sums[::-1]).astype(np.float32)
        x, action, value = np.concatenate(xs), np.concatenate(acts), np.concatenate(values)
        rate = improve(rng, policy, optimiser, x, action, a, a + value, rate)
        now = time.perf_counter() - begin
        progress.seconds.append(now), progress.steps.append(steps), progress.returns.append(float(np.mean(ended or [np.nan])))
        if now - told > 10:
            told = now
            report(
                f"{now:5.0f} s, {max(0.0, seconds - now):4.0f} s left: {steps / 1e6:6.2f} million steps, return {progress.returns[-1]:7.2f}, "
                f"{steps / stepping:6.0f} environment steps/s, {steps / now:6.0f} with learning"
            )
    return policy, progress


def improve(
    rng: np.random.Generator, policy: Policy, optimiser: Adam, x: np.ndarray, action: np.ndarray, advantage: np.ndarray, target: np.ndarray, rate: float
) -> float:
    """Three passes over what was seen, in four parts each. Returns the rate for the next time: smaller if the policy moved too far."""
    old_mean, old_std = policy.mean(x)[0], np.exp(policy.log_std)
    old = -0.5 * (((action - old_mean) / old_std) ** 2).sum(axis=1) - policy.log_std.sum()
    advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
    for _ in range(3):
        moved = []
        for part in np.array_split(rng.permutation(len(x)), 4):
            mean, layers = policy.mean(x[part])
            std = np.exp(policy.log_std)
            off = (action[part] - mean) / std
            ratio = np.exp(-0.5 * (off**2).sum(axis=1) - policy.log_std.sum() - old[part])
            a = advantage[part]
            inside = ~(((ratio > 1.2) & (a > 0)) | ((ratio < 0.8) & (a < 0)))
            g = (-a * ratio * inside / len(part))[:, None].astype(np.float32)
            value, value_layers = policy.value(x[part])
            error = (value[:, 0] - target[part])[:, None] / len(part)
            by_std = (g * (off**2 - 1)).sum(axis=0) - np.float32(0.001)  # some entropy
            optimiser.step(
                [*policy.mean.gradient(layers, g * off / std), *policy.value.gradient(value_layers, error.astype(np.float32)), by_std], rate
            )
            np.clip(policy.log_std, -2.5, 0.5, out=policy.log_std)
            moved.append(float(np.mean(((mean - old_mean[part]) ** 2 / (2 * std**2)).sum(axis=1))))
    distance = moved[-1]
    return float(np.clip(rate / 1.5 if distance > 0.02 else rate * 1.5 if distance < 0.005 else rate, 1e-5, 3e-3))


def evaluate(env: Any, policy: Policy | None, seed: int) -> tuple[float, float]:
    """The mean return of one episode in each environment, without noise, and the share that stands at its end. policy None: actions are zero."""
    observation, _ = env.reset(seed=seed)
    total, alive, standing = np.zeros(env.num_envs), np.ones(env.num_envs, bool), np.zeros(env.num_envs, bool)
    for _ in range(env.episode_steps):
        actions = np.zeros(env.action_space.shape) if policy is None else policy(observation)
        observation, reward, terminated, truncated, _ = env.step(actions)
        total += np.where(alive, reward, 0.0)
        if hasattr(env, "standing"):
            standing = env.standing() & alive
        alive &= ~(terminated | truncated) | truncated
    return float(total.mean()), float(standing.mean() if hasattr(env, "standing") else alive.mean())


def write_page(env: Any, policy: Policy, seed: int, file: Path) -> None:
    """One episode of all environments, side by side."""
    observation, _ = env.reset(seed=seed)
    recording = env.sim.record(range(env.num_envs), fps=50)
    for _ in range(env.episode_steps):
        observation, *_ = env.step(policy(observation))
    recording.save(file)


def write_curve(progress: Progress, folder: Path, title: str) -> Path:
    rows = np.array([progress.seconds, progress.steps, progress.returns]).T
    try:
        import matplotlib

        matplotlib.use("Agg")
        import matplotlib.pyplot as plt
    except ImportError:
        file = folder / "curve.csv"
        np.savetxt(file, rows, delimiter=",", header="seconds,steps,return", comments="")
        return file
    matplotlib.rcParams["svg.hashsalt"] = "delassus"
    fig, ax = plt.subplots(figsize=(6, 3), layout="constrained")
    keep = np.unique(np.linspace(0, len(rows) - 1, 200).astype(int))
    ax.plot(rows[keep, 0], rows[keep, 2])
    ax.set(xlabel="seconds of learning", ylabel="mean return of an episode", title=title)
    ax.grid(alpha=0.3)
    file = folder / "curve.svg"
    fig.savefig(file, metadata={"Date": None})
    plt.close(fig)
    return file


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--environment", choices=["Go2Stand", "CartPole"], default="Go2Stand")
    parser.add_argument("--seconds", type=float, default=300.0, help="of learning")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--num-envs", type=int, default=512)
    parser.add_argument("--tilt", type=float, default=60.0, help="degrees that Go2 is turned by at most before it falls")
    parser.add_argument("--out", type=Path, default=Path("learnt"), help="folder for policy.npz and the curve")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    kind = getattr(delassus.gym, args.environment)
    more = {"tilt": np.radians(args.tilt)} if args.environment == "Go2Stand" else {}
    judge = kind(256, autoreset="disabled", **more)
    first = evaluate(judge, None, args.seed + 1)
    print(f"actions of zero: return {first[0]:.2f}, {first[1]:.0%} stand at the end", flush=True)
    env = kind(args.num_envs, autoreset="same_step", **more)
    policy, progress = learn(env, seconds=args.seconds, seed=args.seed, report=lambda line: print(line, flush=True))
    last = evaluate(judge, policy, args.seed + 1)
    print(f"what it learnt: return {last[0]:.2f}, {last[1]:.0%} stand at the end")
    policy.save(args.out / "policy.npz")
    file = write_curve(progress, args.out, f"{args.environment}: {progress.steps[-1] / 1e6:.1f} million steps on {env.sim.threads} threads")
    print(f"wrote {args.out / 'policy.npz'} and {file}")
    try:
        write_page(kind(8, autoreset="next_step", **more), policy, args.seed + 2, args.out / "page.html")
        print(f"wrote {args.out / 'page.html'}")
    except delassus.Error as error:  # the package was built without the viewer
        print(error)
    if not last[0] > first[0]:
        raise SystemExit("it learnt nothing")


if __name__ == "__main__":
    main()
