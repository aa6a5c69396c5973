//! The half-explicit step of order 5: six stages with multipliers, the first of them
//! known from the step before.

use super::algebra::{
    Rotation, Vec3, back, cross, each, exponential, exponential_and_shift, halves, solve3,
    tangent_inverse, tangent_inverse_semidirect, times, turned,
};
use super::{J1, J2, MASS, Top, WEIGHT};

const ROW_2: [f64; 1] = [1.0 / 5.0];
const ROW_3: [f64; 2] = [3.0 / 40.0, 9.0 / 40.0];
const ROW_4: [f64; 3] = [44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0];
const ROW_5: [f64; 4] = [
    19_372.0 / 6561.0,
    -25_360.0 / 2187.0,
    64_448.0 / 6561.0,
    -212.0 / 729.0,
];
const ROW_6: [f64; 5] = [
    9017.0 / 3168.0,
    -355.0 / 33.0,
    46_732.0 / 5247.0,
    49.0 / 176.0,
    -5103.0 / 18_656.0,
];
const ROW_7: [f64; 6] = [
    35.0 / 384.0,
    0.0,
    500.0 / 1113.0,
    125.0 / 192.0,
    -2187.0 / 6784.0,
    11.0 / 84.0,
];
const ROW_8: [f64; 7] = [
    -18_611_506_045_861.0 / 19_738_176_307_200.0,
    59_332_529.0 / 14_479_296.0,
    -2_509_441_598_627.0 / 893_904_224_850.0,
    2_763_523_204_159.0 / 3_289_696_051_200.0,
    -41_262_869_588_913.0 / 116_235_927_142_400.0,
    46_310_205_821.0 / 287_848_404_480.0,
    -3280.0 / 75_413.0,
];

/// `h sum_j a_j x_j` over the first `N` terms.
#[inline(always)]
fn increment<const N: usize, const M: usize>(
    h: f64,
    a: &[f64; M],
    x: &[[f64; 6]; 7],
    terms: [(); N],
) -> [f64; 6] {
    let _ = terms;
    each(|k| {
        let mut sum = -0.0;
        for j in 0..N {
            if a[j] != 0.0 {
                sum += a[j] * x[j][k];
            }
        }
        h * sum
    })
}

/// A stage in `SO3xR3`: the rotation and the arm `R^T x`.
#[derive(Clone, Copy)]
struct Place {
    r: Rotation,
    arm: Vec3,
}

#[inline(always)]
fn place(top: &Top, theta: [f64; 6]) -> Place {
    let [w, u] = halves(theta);
    let r = turned(&top.r, &exponential(w));
    let x: Vec3 = each(|i| top.x[i] + u[i]);
    Place {
        r,
        arm: back(&r, x),
    }
}

/// `V'` and `Lambda` of a stage in `SO3xR3`.
///
/// With `B = [arm~, -R^T]`, `arm~ J^-1 arm~^T + R^T R / m` times `m` is eliminated.
#[inline(always)]
fn solve_direct(this: &Place, next: &Place, v: [f64; 6], reach: [f64; 6]) -> ([f64; 6], Vec3) {
    const P: f64 = MASS / J1;
    const Q: f64 = MASS / J2;
    let [w, _] = halves(v);
    let free = [
        -w[1] * w[2] * ((J2 - J1) / J1),
        0.0,
        w[0] * w[1] * ((J2 - J1) / J1),
    ];
    let turn = [reach[0] - free[0], reach[1], reach[2] - free[2]];
    let shift = [reach[3], reach[4], reach[5] - WEIGHT];
    let (a, b) = (this.arm, next.arm);
    let swing = cross(turn, b);
    let slide = back(&next.r, shift);
    let right: Vec3 = each(|i| swing[i] - slide[i]);
    // (J^-1 arm~^T) times m: the axis of a column decides which inertia divides.
    let (a0, a2) = (P * a[0], P * a[2]);
    let (p0, p1, p2) = (Q * a[0], P * a[1], Q * a[2]);
    let product: Rotation =
        each(|i| each(|j| (0..3).map(|k| next.r[k][i] * this.r[k][j]).sum::<f64>()));
    let s = [
        [
            product[0][0] + b[2] * p2 + b[1] * p1,
            product[0][1] - b[1] * a0,
            product[0][2] - b[2] * p0,
        ],
        [
            product[1][0] - b[0] * p1,
            product[1][1] + b[2] * a2 + b[0] * a0,
            product[1][2] - b[2] * p1,
        ],
        [
            product[2][0] - b[0] * p2,
            product[2][1] - b[1] * a2,
            product[2][2] + b[1] * p1 + b[0] * p0,
        ],
    ];
    let scaled = solve3(s, right);
    let moment = cross(a, scaled);
    let push = times(&this.r, scaled);
    let vdot = [
        -free[0] - P * moment[0],
        -Q * moment[1],
        -free[2] - P * moment[2],
        push[0],
        push[1],
        push[2] - WEIGHT,
    ];
    (vdot, scaled.map(|x| MASS * x))
}

/// A step in `SO3xR3`.
pub(crate) fn direct(top: &mut Top, h: f64) {
    let (mut rates, mut vdots) = ([[0.0; 6]; 7], [[0.0; 6]; 7]);
    rates[0] = top.v;
    vdots[0] = top.vdot;
    let rate = |theta: [f64; 6], v: [f64; 6]| {
        let ([w, _], [a, b]) = (halves(theta), halves(v));
        let a = tangent_inverse(w, a);
        [a[0], a[1], a[2], b[0], b[1], b[2]]
    };
    let theta = increment(h, &ROW_2, &rates, [(); 1]);
    let change = increment(h, &ROW_2, &vdots, [(); 1]);
    let mut v: [f64; 6] = each(|i| top.v[i] + change[i]);
    let mut this = place(top, theta);
    rates[1] = rate(theta, v);
    let mut theta;
    macro_rules! stage {
        ($i:literal, $row:expr) => {{
            theta = increment(h, &$row, &rates, [(); $i]);
            let next = place(top, theta);
            let part = increment(h, &$row, &vdots, [(); $i - 1]);
            let before: [f64; 6] = each(|k| top.v[k] + part[k]);
            let weight = 1.0 / (h * $row[$i - 1]);
            let (vdot, lambda) = solve_direct(&this, &next, v, before.map(|x| weight * x));
            vdots[$i - 1] = vdot;
            (next, before, lambda)
        }};
    }
    macro_rules! advance {
        ($i:literal, $row:expr) => {{
            let (next, before, _) = stage!($i, $row);
            let last = h * $row[$i - 1];
            v = each(|k| before[k] + last * vdots[$i - 1][k]);
            rates[$i] = rate(theta, v);
            this = next;
        }};
    }
    advance!(2, ROW_3);
    advance!(3, ROW_4);
    advance!(4, ROW_5);
    advance!(5, ROW_6);
    advance!(6, ROW_7);
    let x: Vec3 = each(|i| top.x[i] + theta[3 + i]);
    let (_, _, lambda) = stage!(7, ROW_8);
    top.r = this.r;
    top.x = x;
    top.v = v;
    top.vdot = vdots[6];
    top.lambda = lambda;
}

/// `V'` and `Lambda` of a stage in `SE3`, where `B = [e2~, -I]`: the equations of the
/// first and third axis are those of a point of the mass `J m / (J + m)`.
#[inline(always)]
fn solve_semidirect(down: Vec3, v: [f64; 6], reach: [f64; 6]) -> ([f64; 6], Vec3) {
    const REDUCED: f64 = J1 * MASS / (J1 + MASS);
    const SPIN: f64 = (J2 - J1) / J1;
    let [w, u] = halves(v);
    let (x0, x2) = (SPIN * (w[0] * w[1]), SPIN * (w[1] * w[2]));
    let slide = cross(w, u);
    let free: Vec3 = each(|i| slide[i] + WEIGHT * down[i]);
    let first = x0 - reach[2] + (free[0] - reach[3]);
    let third = x2 + reach[0] + (free[2] - reach[5]);
    let vdot = [
        x2 - (REDUCED / J1) * third,
        0.0,
        (REDUCED / J1) * first - x0,
        (REDUCED / MASS) * first - free[0],
        -reach[4],
        (REDUCED / MASS) * third - free[2],
    ];
    let lambda = [
        REDUCED * first,
        MASS * (free[1] - reach[4]),
        REDUCED * third,
    ];
    (vdot, lambda)
}

/// A step in `SE3`: stages need the third row of the rotation only.
pub(crate) fn semidirect(top: &mut Top, h: f64) {
    let (mut rates, mut vdots) = ([[0.0; 6]; 7], [[0.0; 6]; 7]);
    rates[0] = top.v;
    vdots[0] = top.vdot;
    let down = |theta: [f64; 6]| back(&exponential(halves(theta)[0]), top.r[2]);
    let theta = increment(h, &ROW_2, &rates, [(); 1]);
    let change = increment(h, &ROW_2, &vdots, [(); 1]);
    let mut v: [f64; 6] = each(|i| top.v[i] + change[i]);
    let mut this = down(theta);
    rates[1] = tangent_inverse_semidirect(theta, v);
    macro_rules! stage {
        ($i:literal, $row:expr) => {{
            let part = increment(h, &$row, &vdots, [(); $i - 1]);
            let before: [f64; 6] = each(|k| top.v[k] + part[k]);
            let weight = 1.0 / (h * $row[$i - 1]);
            let (vdot, lambda) = solve_semidirect(this, v, before.map(|x| weight * x));
            vdots[$i - 1] = vdot;
            (before, lambda)
        }};
    }
    macro_rules! advance {
        ($i:literal, $row:expr) => {{
            let theta = increment(h, &$row, &rates, [(); $i]);
            let (before, _) = stage!($i, $row);
            let last = h * $row[$i - 1];
            v = each(|k| before[k] + last * vdots[$i - 1][k]);
            theta
        }};
    }
    macro_rules! pass {
        ($i:literal, $row:expr) => {{
            let theta = advance!($i, $row);
            this = down(theta);
            rates[$i] = tangent_inverse_semidirect(theta, v);
        }};
    }
    pass!(2, ROW_3);
    pass!(3, ROW_4);
    pass!(4, ROW_5);
    pass!(5, ROW_6);
    let theta = advance!(6, ROW_7);
    let [w, u] = halves(theta);
    let (step, shift) = exponential_and_shift(w, u);
    let moved = times(&top.r, shift);
    top.x = each(|i| top.x[i] + moved[i]);
    let r = turned(&top.r, &step);
    this = r[2];
    let (_, lambda) = stage!(7, ROW_8);
    top.r = r;
    top.v = v;
    top.vdot = vdots[6];
    top.lambda = lambda;
}
