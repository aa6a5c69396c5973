"""The four-bar linkage and the gyroscope in their angles, with 36 digits.

    python3 mechanisms.py > mechanisms.json

Lagrange's equations in minimal coordinates, extrapolated midpoint rule. It needs mpmath, takes some
minutes, and shares nothing with the library: no constraints, no multipliers, no groups.

Each motion is computed twice, with another order and smaller steps. 22 digits are printed; the program
ends with an error if the runs or the constants of motion differ by more than 1e-22. The first second of
the four-bar linkage is checked once more, as the integral of 1 / rate over its angle.
"""

import json

from mpmath import arg, conj, cos, im, matrix, lu_solve, mp, mpc, mpf, nstr, quad, re, sin, sqrt

mp.dps = 36
CLOSE = mpf(10) ** -22


def step(rate, y, h, rows):
    """One step of order 2 `rows`: midpoint rules with 2, 4, 6, .. substeps, extrapolated; its error."""
    table, start = [], rate(y)
    for k in range(1, rows + 1):
        d = h / (2 * k)
        a, b = y, [u + d * f for u, f in zip(y, start)]
        for _ in range(2 * k - 1):
            a, b = b, [u + 2 * d * f for u, f in zip(a, rate(b))]
        table.append(b)
        for j in range(k - 2, -1, -1):
            factor = 1 / (mpf(k * k) / ((j + 1) * (j + 1)) - 1)
            table[j] = [v + factor * (v - u) for u, v in zip(table[j], table[j + 1])]
    return table[0], max(abs(u - v) for u, v in zip(table[0], table[1]))


def motion(rate, constants, start, times, tolerance, rows):
    """States at the times; what stays constant is checked at each of them."""
    t, y, h, states = mpf(0), start, mpf(1) / 40, []
    before = constants(start)
    for end in times:
        while t < end:
            now = min(h, end - t)
            after, error = step(rate, y, now, rows)
            if error < tolerance:
                t, y = (end if now == end - t else t + now), after
            wanted = now * (tolerance / (error + tolerance / 10**6)) ** (mpf(1) / (2 * rows - 1))
            h = wanted * mpf("0.8") if error >= tolerance or now == h else h
        for a, b in zip(constants(y), before):
            assert abs(a - b) < CLOSE, (a, b)
        states.append(y)
    return states


def twice(rate, constants, start, times):
    """The same motion with another order and smaller steps."""
    states = motion(rate, constants, start, times, CLOSE / 10**4, 12)
    others = motion(rate, constants, start, times, CLOSE / 10**6, 11)
    for y, z in zip(states, others):
        assert max(abs(a - b) for a, b in zip(y, z)) < CLOSE, (y, z)
    return states


# The four-bar linkage: the plane of x and z as complex numbers x + i z. A turn by the angle a about y
# multiplies by exp(-i a). B, P, R are the vectors A to B, B to C, D to C.
GRAVITY = mpf("9.81")
PIVOT = mpc(1)
B0, P0, R0 = mpc(0, "0.5"), mpc("1.2", "0.4"), mpc("0.2", "0.9")
MASS = [mpf(1), mpf(2), mpf("1.5")]
INERTIA = [mpf("0.02"), mpf("0.2"), mpf("0.1")]  # about y


def cross(u, v):
    return im(conj(u) * v)


def linkage(a):
    """Angles of the bodies and their centres, with first and second derivatives by the crank angle."""
    b = B0 * (cos(a) - 1j * sin(a))
    # The loop B + P = D + R: the triangle of s = D - B with the lengths of P and R, on the side of
    # the start.
    s = PIVOT - b
    along = (abs(s) ** 2 + abs(P0) ** 2 - abs(R0) ** 2) / (2 * abs(s) ** 2)
    p = s * (along + 1j * sqrt(abs(P0) ** 2 / abs(s) ** 2 - along**2))
    r = p - s
    # Derivatives of the loop: B + p' P = r' R, i (B + p'^2 P - r'^2 R) = p'' P - r'' R.
    p1, r1 = -cross(r, b) / cross(r, p), -cross(p, b) / cross(r, p)
    w = 1j * (b + p1**2 * p - r1**2 * r)
    p2, r2 = cross(r, w) / cross(r, p), cross(p, w) / cross(r, p)
    angles = [(a, mpf(1), mpf(0)), (-arg(p / P0), p1, p2), (-arg(r / R0), r1, r2)]
    turned = lambda u, d1, d2: (u, -1j * d1 * u, (-1j * d2 - d1**2) * u)
    ends = [turned(u, d1, d2) for u, (_, d1, d2) in zip((b, p, r), angles)]
    centres = [
        [u / 2 for u in ends[0]],
        [u + v / 2 for u, v in zip(ends[0], ends[1])],
        [(PIVOT if d == 0 else 0) + u / 2 for d, u in enumerate(ends[2])],
    ]
    return angles, centres


def inertia_and_energy(a):
    """Inertia J of the crank angle with J', potential V with V'."""
    j = j1 = v = v1 = mpf(0)
    for mass, inertia, (_, d1, d2), (x, x1, x2) in zip(MASS, INERTIA, *linkage(a)):
        j += inertia * d1**2 + mass * abs(x1) ** 2
        j1 += 2 * (inertia * d1 * d2 + mass * re(conj(x1) * x2))
        v += mass * GRAVITY * im(x)
        v1 += mass * GRAVITY * im(x1)
    return j, j1, v, v1


def four_bar_rate(y):
    a, rate = y
    j, j1, _, v1 = inertia_and_energy(a)
    return [rate, -(j1 / 2 * rate**2 + v1) / j]


def four_bar_energy(y):
    j, _, v, _ = inertia_and_energy(y[0])
    return [j / 2 * y[1] ** 2 + v]


def four_bar():
    start = [mpf(0), mpf(2)]
    _, centres = linkage(start[0])
    assert abs(centres[2][0] - (PIVOT + R0 / 2)) < CLOSE, "the start is on this branch"
    states = twice(four_bar_rate, four_bar_energy, start, [mpf(n) for n in range(1, 11)])
    energy = four_bar_energy(start)[0]

    def slowness(a):
        j, _, v, _ = inertia_and_energy(a)
        return sqrt(j / (2 * (energy - v)))

    pieces = [states[0][0] * k / 20 for k in range(21)]
    assert abs(quad(slowness, pieces) - 1) < CLOSE, "time of the first second"
    values = {}
    for t, (a, rate) in enumerate(states, 1):
        angles, centres = linkage(a)
        values[t] = {
            "angles": [x for x, _, _ in angles],
            "angle_rates": [d * rate for _, d, _ in angles],
            "centres": [[re(x), im(x)] for x, _, _ in centres],
            "velocities": [[re(d) * rate, im(d) * rate] for _, d, _ in centres],
        }
    return values


# The gyroscope: outer, inner, rotor turned by Rz(a), Rz(a) Rx(b), Rz(a) Rx(b) Ry(c).
OUTER = mpf("0.004")  # about z
INNER = [mpf("0.001"), mpf("0.002"), mpf("0.0015")]
ROTOR = [mpf("0.005"), mpf("0.01")]  # across and along the axle


def kinetic(b):
    """Mass matrix of (a', b', c') and its derivative by b.

    The inner gimbal turns with (b', a' sin b, a' cos b) in its axes, the rotor with c' more about y.
    """
    s, c = sin(b), cos(b)
    across = INNER[2] + ROTOR[0]
    m = matrix(3)
    m[0, 0] = OUTER + (INNER[1] + ROTOR[1]) * s**2 + across * c**2
    m[1, 1] = INNER[0] + ROTOR[0]
    m[2, 2] = ROTOR[1]
    m[0, 2] = m[2, 0] = ROTOR[1] * s
    by_b = matrix(3)
    by_b[0, 0] = 2 * (INNER[1] + ROTOR[1] - across) * s * c
    by_b[0, 2] = by_b[2, 0] = ROTOR[1] * c
    return m, by_b


def gyroscope_rate(y):
    """M v' = -b' M_b v + (0, v^T M_b v / 2, 0)."""
    v = matrix(y[3:])
    m, by_b = kinetic(y[1])
    f = -v[1] * (by_b * v)
    f[1] += (v.T * by_b * v)[0] / 2
    return y[3:] + list(lu_solve(m, f))


def gyroscope_constants(y):
    """Energy, and the momenta of the outer angle and of the spin."""
    v = matrix(y[3:])
    p = kinetic(y[1])[0] * v
    return [(v.T * p)[0] / 2, p[0], p[2]]


def gyroscope():
    start = [mpf(0), mpf("0.4"), mpf(0), mpf("0.5"), mpf("0.3"), mpf(100)]
    states = twice(gyroscope_rate, gyroscope_constants, start, [mpf(n) / 2 for n in range(1, 5)])
    values = {}
    for n, y in enumerate(states, 1):
        a, b, c = y[:3]
        # A point of the rotor with the coordinates (0.1, 0.1, 0).
        x, u, z = cos(c) / 10, mpf("0.1"), -sin(c) / 10
        u, z = cos(b) * u - sin(b) * z, sin(b) * u + cos(b) * z
        values[n / 2] = {
            "angles": y[:3],
            "angle_rates": y[3:],
            "point": [cos(a) * x - sin(a) * u, sin(a) * x + cos(a) * u, z],
        }
    return values


def digits(value):
    if isinstance(value, dict):
        return {f"{key:g}" if not isinstance(key, str) else key: digits(v) for key, v in value.items()}
    return [digits(v) for v in value] if isinstance(value, list) else nstr(value, 22)


SOURCE = (
    "tests/data/mechanisms.py: Lagrange's equations in minimal coordinates, extrapolated midpoint rule of "
    "order 24, mpmath with 36 digits. A run of order 22 with smaller steps, energy and momenta agree to "
    "1e-22; 22 digits printed. four_bar: angles about y, centres and velocities (x, z) of crank, coupler "
    "and rocker. gyroscope: spin = 100, angles of Rz, Rx, Ry from the start (0, 0.4, 0), and the point "
    "(0.1, 0.1, 0) of the rotor."
)
values = {"source": SOURCE, "four_bar": digits(four_bar()), "gyroscope": digits(gyroscope())}
print(json.dumps(values, indent=1))
