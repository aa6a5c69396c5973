/* The high-speed rotor on flexible supports in 80-bit arithmetic: Newton-Euler equations with a
 * quaternion, extrapolated midpoint rule of order 12. It shares nothing with the library.
 *
 *     cc -O2 rotor.c -lm && ./a.out 100000 && ./a.out 50000
 *
 * prints the left support at t = 1; the runs agree to 1e-17. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 13, K = 6 };
typedef long double real;
static const real M = 1.223L, J[3] = {0.001541L, 0.000812L, 0.000812L};
static const real STIFFNESS = 4000, DAMPING = 5.165093L, ARM[2] = {-0.11L, 0.09L};
static const real TORQUE = (0.1L - 0.11L) * 1.223L * 9.81L;

/* y: position, velocity, quaternion (w, x, y, z), angular velocity in body axes */
static void columns(const real *q, real r[3][3]) {
    real w = q[0], x = q[1], y = q[2], z = q[3];
    r[0][0] = w * w + x * x - y * y - z * z, r[0][1] = 2 * (x * y + w * z), r[0][2] = 2 * (x * z - w * y);
    r[1][0] = 2 * (x * y - w * z), r[1][1] = w * w - x * x + y * y - z * z, r[1][2] = 2 * (y * z + w * x);
    r[2][0] = 2 * (x * z + w * y), r[2][1] = 2 * (y * z - w * x), r[2][2] = w * w - x * x - y * y + z * z;
}

static void rate(const real *y, real *f) {
    const real *v = y + 3, *q = y + 6, *o = y + 10;
    real c[3][3], force[3] = {0, 0, 0}, torque[3];
    columns(q, c);
    for (int j = 0; j < 3; j++) torque[j] = c[j][2] * TORQUE;
    for (int s = 0; s < 2; s++) {
        real a = ARM[s], at[3], local[3];
        for (int i = 0; i < 3; i++) {
            real gap = y[i] + a * c[0][i] - (i == 0 ? a : 0);
            real speed = v[i] + a * (o[2] * c[1][i] - o[1] * c[2][i]);
            at[i] = s == 1 && i == 0 ? 0 : -STIFFNESS * gap - DAMPING * speed;
            force[i] += at[i];
        }
        for (int j = 0; j < 3; j++) local[j] = c[j][0] * at[0] + c[j][1] * at[1] + c[j][2] * at[2];
        torque[1] -= a * local[2];
        torque[2] += a * local[1];
    }
    for (int i = 0; i < 3; i++) f[i] = v[i], f[3 + i] = force[i] / M;
    f[6] = -0.5L * (q[1] * o[0] + q[2] * o[1] + q[3] * o[2]);
    f[7] = 0.5L * (q[0] * o[0] + q[2] * o[2] - q[3] * o[1]);
    f[8] = 0.5L * (q[0] * o[1] + q[3] * o[0] - q[1] * o[2]);
    f[9] = 0.5L * (q[0] * o[2] + q[1] * o[1] - q[2] * o[0]);
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        f[10 + i] = (torque[i] - (J[k] - J[j]) * o[j] * o[k]) / J[i];
    }
}

static void step(real *y, real h) {
    real table[K][N], f0[N];
    rate(y, f0);
    for (int k = 0; k < K; k++) {
        int n = 2 * (k + 1);
        real d = h / n, a[N], b[N], f[N];
        for (int i = 0; i < N; i++) a[i] = y[i], b[i] = y[i] + d * f0[i];
        for (int m = 1; m < n; m++) {
            rate(b, f);
            for (int i = 0; i < N; i++) {
                real next = a[i] + 2 * d * f[i];
                a[i] = b[i], b[i] = next;
            }
        }
        for (int i = 0; i < N; i++) table[k][i] = b[i];
        for (int j = k - 1; j >= 0; j--) {
            real ratio = (real)n / (2 * (j + 1)), factor = 1 / (ratio * ratio - 1);
            for (int i = 0; i < N; i++) table[j][i] = table[j + 1][i] + factor * (table[j + 1][i] - table[j][i]);
        }
    }
    for (int i = 0; i < N; i++) y[i] = table[0][i];
}

int main(int argc, char **argv) {
    long steps = argc > 1 ? atol(argv[1]) : 100000;
    real y[N] = {0}, c[3][3];
    y[6] = 1, y[10] = 2 * acosl(-1) * 200000 / 60;
    for (long i = 0; i < steps; i++) step(y, 1.0L / steps);
    columns(y + 6, c);
    for (int i = 0; i < 3; i++) printf("%.20Lf\n", y[i] + ARM[0] * c[0][i]);
    return 0;
}
