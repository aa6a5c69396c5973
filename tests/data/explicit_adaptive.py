"""Adaptive steps of the twofold pendulum with RKMK5(4) of Dormand and Prince.

Shares nothing with the library: the mass matrix is assembled and solved, the inverse differential of the
exponential is a linear system with a matrix exponential. Controller: factor .85 (tol / e)^(1/5) without
limits, e the 2-norm of the difference of both solutions in the algebra.
Needs numpy and scipy; prints accepted and rejected steps and the error at t = 3 to a run at 1e-10.
"""

import numpy as np
from scipy.linalg import expm

g = 9.81


def hat(u):
    return np.array([[0, -u[2], u[1]], [u[2], 0, -u[0]], [-u[1], u[0], 0]])


def f(y, N=2, L=1.0):
    q = y[:, :3]
    w = y[:, 3:]
    mu = [N - i for i in range(N)]
    R = np.zeros((3 * N, 3 * N))
    r = np.zeros(3 * N)
    e3 = np.array([0, 0, 1.0])
    for i in range(N):
        for j in range(N):
            M = mu[max(i, j)] * L * L
            R[3 * i : 3 * i + 3, 3 * j : 3 * j + 3] = (
                M * np.eye(3) if i == j else M * hat(q[i]).T @ hat(q[j])
            )
            if i != j:
                r[3 * i : 3 * i + 3] += M * (w[j] @ w[j]) * np.cross(q[i], q[j])
        r[3 * i : 3 * i + 3] -= mu[i] * g * L * np.cross(q[i], e3)
    h = np.linalg.solve(R, r).reshape(N, 3)
    return np.concatenate([w, np.cross(q, h)], 1)


def expso(u):
    t = np.linalg.norm(u)
    K = hat(u)
    if t < 1e-8:
        return np.eye(3) + K + K @ K / 2
    return np.eye(3) + np.sin(t) / t * K + (1 - np.cos(t)) / t**2 * K @ K


def dexp(u):
    t = np.linalg.norm(u)
    K = hat(u)
    if t < 1e-4:
        return np.eye(3) + K / 2 + K @ K / 6
    return np.eye(3) + (1 - np.cos(t)) / t**2 * K + (t - np.sin(t)) / t**3 * K @ K


def act(s, y):
    out = np.empty_like(y)
    for i in range(len(y)):
        A = expso(s[i, :3])
        a = dexp(s[i, :3]) @ s[i, 3:]
        q = A @ y[i, :3]
        out[i, :3] = q
        out[i, 3:] = A @ y[i, 3:] + np.cross(a, q)
    return out


def dexpinv(u, v):
    M = np.zeros((6, 6))
    M[:3, :3] = hat(u[:3])
    M[3:, 3:] = hat(u[:3])
    M[3:, :3] = hat(u[3:])
    # dexp = phi1(M)
    Z = np.zeros((12, 12))
    Z[:6, :6] = M
    Z[:6, 6:] = np.eye(6)
    D = expm(Z)[:6, 6:]
    return np.linalg.solve(D, v)


a = [
    [],
    [1 / 5],
    [3 / 40, 9 / 40],
    [44 / 45, -56 / 15, 32 / 9],
    [19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729],
    [9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656],
    [35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84],
]
b = a[6] + [0]
bh = [5179 / 57600, 0, 7571 / 16695, 393 / 640, -92097 / 339200, 187 / 2100, 1 / 40]


def step(y, h):
    k = []
    for i in range(7):
        s = sum((h * c * x for c, x in zip(a[i], k)), np.zeros_like(y))
        F = f(act(s, y))
        k.append(np.array([dexpinv(s[n], F[n]) for n in range(len(y))]))
    s = h * sum(c * x for c, x in zip(b, k))
    sh = h * sum(c * x for c, x in zip(bh, k))
    return act(s, y), np.linalg.norm(s - sh)


def run(tol, T=3.0, h=0.01):
    y = np.array([[2**-0.5, 0, 2**-0.5, 0, 1, 0]] * 2)
    t = 0
    acc = rej = 0
    log = []
    while t < T - 1e-14:
        h = min(h, T - t)
        yn, e = step(y, h)
        if e <= tol:
            y = yn
            log.append((t, h, e / tol))
            t += h
            acc += 1
        else:
            rej += 1
            log.append((t, h, -e / tol))
        h *= 0.85 * (tol / e) ** 0.2
    return y, acc, rej, log


reference = run(1e-10)[0]
for tolerance in (1e-4, 1e-6):
    y, accepted, rejected, _ = run(tolerance)
    print(tolerance, accepted, rejected, np.linalg.norm(y - reference))
