/**

Generated: 1 bodies, 3 velocities, 0 constraints. Degrees of freedom: 3.

| kernel | operations |
|---|---|
| geometry | 0 |
| displacement | 75 |
| geometry of a stage | 35 |
| tangent operator | 36 |
| force | 8 |
| constraint | 0 |
| half-explicit stage | 8 |
| stiffness | 9 |
| residual, Index3 | 17 |
| Newton iteration, Index3, sigma = 0 | 191 |
| Newton matrix, Index3, sigma = 0 | 99 |
| Newton solution, Index3, sigma = 0 | 30 |
| Newton matrix, Index3 | 98 |
| Newton solution, Index3 | 30 |
*/
#[::core::prelude::v1::derive(
    ::core::clone::Clone,
    ::core::marker::Copy,
    ::core::fmt::Debug,
    ::core::default::Default
)]
struct FreeTop;
///Bodies of a state of [`FreeTop`] by name.
#[allow(dead_code)]
trait FreeTopState {
    ///The body `top`.
    fn top(&self) -> ::polhode::view::BodyView<'_>;
}
const _: () = {
    #[allow(unused_imports)]
    use ::polhode::__private as rt;
    #[allow(unused_imports)]
    use rt::{
        local as blend, local as bool, local as coefficients, local as correction,
        local as epsilon_h, local as f64, local as factor, local as formulation,
        local as g, local as gamma_h, local as geometry, local as h, local as impulse,
        local as k, local as k0, local as k1, local as k2, local as known,
        local as known0, local as known1, local as known2, local as lambda, local as lu,
        local as lu10, local as lu11, local as lu12, local as lu13, local as lu14,
        local as lu15, local as lu16, local as lu17, local as lu9, local as n,
        local as next, local as out, local as point, local as push, local as push0,
        local as push1, local as push2, local as q, local as q0, local as q1,
        local as q2, local as q3, local as q4, local as q5, local as q6, local as q7,
        local as q8, local as residual, local as right, local as right0, local as right1,
        local as right2, local as row, local as s, local as scratch, local as sigma,
        local as size, local as slope, local as slope0, local as slope1, local as slope2,
        local as slope3, local as slope4, local as slope5, local as slope6,
        local as slope7, local as slope8, local as stabilized, local as stage,
        local as steady, local as t, local as theta, local as theta0, local as theta1,
        local as theta2, local as u, local as usize, local as v, local as v0,
        local as v1, local as v2, local as vdot, local as vectors, local as w,
        local as weight, local as workspace, local as x0, local as x1, local as x10,
        local as x11, local as x12, local as x13, local as x14, local as x15,
        local as x16, local as x17, local as x18, local as x19, local as x2,
        local as x20, local as x21, local as x22, local as x23, local as x24,
        local as x25, local as x26, local as x27, local as x28, local as x29,
        local as x3, local as x30, local as x31, local as x32, local as x33,
        local as x34, local as x35, local as x36, local as x37, local as x38,
        local as x39, local as x4, local as x40, local as x41, local as x42,
        local as x43, local as x44, local as x45, local as x46, local as x47,
        local as x48, local as x49, local as x5, local as x50, local as x51,
        local as x52, local as x53, local as x54, local as x55, local as x56,
        local as x57, local as x58, local as x59, local as x6, local as x60,
        local as x61, local as x62, local as x63, local as x64, local as x65,
        local as x66, local as x67, local as x68, local as x69, local as x7,
        local as x70, local as x8, local as x9,
    };
    impl FreeTopState for rt::State<FreeTop> {
        fn top(&self) -> ::polhode::view::BodyView<'_> {
            rt::BodyView::new(
                rt::GroupKind::SO3,
                &self.q[0usize..9usize],
                &self.v[0usize..3usize],
                [0f64, 0f64, 0f64],
            )
        }
    }
    #[allow(
        clippy::unreadable_literal,
        clippy::excessive_precision,
        clippy::too_many_lines,
        clippy::too_many_arguments,
        clippy::similar_names,
        clippy::many_single_char_names,
        clippy::items_after_statements,
        clippy::float_cmp,
        clippy::possible_missing_comma,
        clippy::needless_return,
        clippy::approx_constant,
        dead_code,
        clippy::suboptimal_flops,
        unused_variables,
        unused_imports
    )]
    impl FreeTop {
        /// Number of velocities.
        pub const DOF: usize = 3;
        /// Number of constraint equations.
        pub const CONSTRAINTS: usize = 0;
        /// The model as plain data, as the generic system assembles it.
        #[must_use]
        pub fn description(&self) -> rt::description::Description {
            #[allow(clippy::wildcard_imports)]
            use rt::description::*;
            use rt::GroupKind;
            Description {
                name: rt::text("FreeTop"),
                gravity: [0.0_f64, 0.0_f64, (-9.81_f64)],
                positions: PositionAxes::Second,
                redundant: Redundancy::Reject,
                bodies: rt::vec![
                    Body { name : rt::text("top"), group : GroupKind::SO3, mass :
                    15.0_f64, inertia : [[0.234375_f64, 0.0_f64, 0.0_f64], [0.0_f64,
                    0.46875_f64, 0.0_f64], [0.0_f64, 0.0_f64, 0.234375_f64]], center :
                    [0.0_f64, 1.0_f64, 0.0_f64], start : Start { position :
                    rt::vec![0.0_f64, 0.0_f64, 0.0_f64], rotation : [1.0_f64, 0.0_f64,
                    0.0_f64, 0.0_f64], velocity : rt::vec![0.0_f64, 0.0_f64, 0.0_f64],
                    angular_velocity : [0.0_f64, 150.0_f64, (- 4.61538_f64)] } },
                ],
                joints: rt::vec![],
                forces: rt::vec![],
                ..<Description as ::core::default::Default>::default()
            }
        }
        /// Operations of each generated function, by its name.
        #[must_use]
        #[allow(clippy::unused_self)]
        pub fn operations(&self) -> &'static [(&'static str, usize)] {
            &[
                ("geometry", 0),
                ("displacement", 75),
                ("geometry of a stage", 35),
                ("tangent operator", 36),
                ("force", 8),
                ("constraint", 0),
                ("half-explicit stage", 8),
                ("stiffness", 9),
                ("residual, Index3", 17),
                ("Newton iteration, Index3, sigma = 0", 191),
                ("Newton matrix, Index3, sigma = 0", 99),
                ("Newton solution, Index3, sigma = 0", 30),
                ("Newton matrix, Index3", 98),
                ("Newton solution, Index3", 30),
            ]
        }
    }
    #[automatically_derived]
    #[allow(
        clippy::unreadable_literal,
        clippy::excessive_precision,
        clippy::too_many_lines,
        clippy::too_many_arguments,
        clippy::similar_names,
        clippy::many_single_char_names,
        clippy::items_after_statements,
        clippy::float_cmp,
        clippy::possible_missing_comma,
        clippy::needless_return,
        clippy::approx_constant,
        dead_code,
        clippy::suboptimal_flops,
        unused_variables,
        unused_imports
    )]
    impl rt::Manifold for FreeTop {
        type Config = [f64; 9];
        type Velocity = [f64; 3];
        fn start_config(&self) -> [f64; 9] {
            [
                1.0_f64,
                0.0_f64,
                0.0_f64,
                0.0_f64,
                1.0_f64,
                0.0_f64,
                0.0_f64,
                0.0_f64,
                1.0_f64,
            ]
        }
        fn new_velocity(&self) -> [f64; 3] {
            [0.0; 3]
        }
        #[inline(always)]
        fn displace(&self, q: &[f64; 9], theta: &[f64; 3], out: &mut [f64; 9]) {
            let [theta0, theta1, theta2, ..] = *theta;
            let x0 = theta0 * theta0;
            let x1 = theta1 * theta1;
            let x2 = x0 + x1;
            let x3 = theta2 * theta2;
            let x4 = x2 + x3;
            let [x5, x6] = {
                let s = x4;
                if s < rt::NEAR {
                    [rt::near::cosc(s), rt::near::sinc(s)]
                } else {
                    rt::out_of_line(s, |s| [rt::cosc(s), rt::sinc(s)])
                }
            };
            let x7 = rt::sub_mul(1.0_f64, x5, x1 + x3);
            let x8 = theta2 * x6;
            let x9 = x5 * (theta0 * theta1);
            let x10 = x8 + x9;
            let x11 = x5 * (theta0 * theta2);
            let x12 = theta1 * x6;
            let x13 = x11 - x12;
            let x14 = x9 - x8;
            let x15 = rt::sub_mul(1.0_f64, x5, x0 + x3);
            let x16 = theta0 * x6;
            let x17 = x5 * (theta1 * theta2);
            let x18 = x16 + x17;
            let x19 = x12 + x11;
            let x20 = x17 - x16;
            let x21 = rt::sub_mul(1.0_f64, x2, x5);
            out[0] = rt::dot3(q[0], x7, q[1], x10, q[2], x13);
            out[1] = rt::dot3(q[0], x14, q[1], x15, q[2], x18);
            out[2] = rt::dot3(q[0], x19, q[1], x20, q[2], x21);
            out[3] = rt::dot3(q[3], x7, q[4], x10, q[5], x13);
            out[4] = rt::dot3(q[3], x14, q[4], x15, q[5], x18);
            out[5] = rt::dot3(q[3], x19, q[4], x20, q[5], x21);
            out[6] = rt::dot3(q[6], x7, q[7], x10, q[8], x13);
            out[7] = rt::dot3(q[6], x14, q[7], x15, q[8], x18);
            out[8] = rt::dot3(q[6], x19, q[7], x20, q[8], x21);
        }
        #[inline(always)]
        fn tangent_inverse(&self, theta: &[f64; 3], v: &[f64; 3], out: &mut [f64; 3]) {
            let [theta0, theta1, theta2, ..] = *theta;
            let [v0, v1, v2, ..] = *v;
            let [x0] = {
                let s = rt::dot3(theta0, theta0, theta1, theta1, theta2, theta2);
                if s < rt::NEAR {
                    [rt::near::cot_defect(s)]
                } else {
                    rt::out_of_line(s, |s| [rt::cot_defect(s)])
                }
            };
            let x1 = theta1 * x0;
            let x2 = rt::det2(v1, theta0, v0, theta1);
            let x3 = theta2 * x0;
            let x4 = rt::det2(v0, theta2, v2, theta0);
            let x5 = rt::det2(v2, theta1, v1, theta2);
            let x6 = theta0 * x0;
            out[0] = rt::det2(x1, x2, x3, x4) + rt::add_mul(v0, 0.5_f64, x5);
            out[1] = rt::det2(x3, x5, x6, x2) + rt::add_mul(v1, 0.5_f64, x4);
            out[2] = rt::det2(x6, x4, x1, x5) + rt::add_mul(v2, 0.5_f64, x2);
        }
        rt::on_product_of_groups!();
    }
    #[automatically_derived]
    #[allow(
        clippy::unreadable_literal,
        clippy::excessive_precision,
        clippy::too_many_lines,
        clippy::too_many_arguments,
        clippy::similar_names,
        clippy::many_single_char_names,
        clippy::items_after_statements,
        clippy::float_cmp,
        clippy::possible_missing_comma,
        clippy::needless_return,
        clippy::approx_constant,
        dead_code,
        clippy::suboptimal_flops,
        unused_variables,
        unused_imports
    )]
    impl rt::Mechanics for FreeTop {
        type Geometry = [f64; 2];
        fn new_geometry(&self) -> [f64; 2] {
            [0.0; 2]
        }
        fn start_velocity(&self) -> [f64; 3] {
            [0.0_f64, 150.0_f64, (-4.61538_f64)]
        }
        #[inline(always)]
        fn displaced_geometry(
            &self,
            (t, steady): (f64, bool),
            q: &[f64; 9],
            theta: &[f64; 3],
            out: &mut [f64; 2],
            scratch: &mut [f64; 9],
        ) -> rt::Result<(), rt::Fault> {
            {
                let [_, _, _, _, _, _, q6, q7, q8, ..] = *q;
                let [theta0, theta1, theta2, ..] = *theta;
                let x0 = theta1 * theta1;
                let x1 = rt::add_mul(x0, theta0, theta0);
                let x2 = theta2 * theta2;
                let x3 = x1 + x2;
                let [x4, x5] = {
                    let s = x3;
                    if s < rt::NEAR {
                        [rt::near::sinc(s), rt::near::cosc(s)]
                    } else {
                        rt::out_of_line(s, |s| [rt::sinc(s), rt::cosc(s)])
                    }
                };
                let x6 = theta1 * x4;
                let x7 = x5 * (theta0 * theta2);
                let x8 = rt::dot3(
                    q6,
                    x6 + x7,
                    q7,
                    rt::det2(x5, theta1 * theta2, theta0, x4),
                    q8,
                    rt::sub_mul(1.0_f64, x1, x5),
                );
                let x9 = rt::dot2(
                    q6,
                    rt::sub_mul(1.0_f64, x5, x0 + x2),
                    q7,
                    rt::dot2(theta2, x4, x5, theta0 * theta1),
                );
                out[0] = x8;
                out[1] = rt::add_mul(x9, q8, x7 - x6);
            }
            rt::Ok(())
        }
        #[inline(always)]
        fn geometry(
            &self,
            t: f64,
            q: &[f64; 9],
            out: &mut [f64; 2],
        ) -> rt::Result<(), rt::Fault> {
            out[0] = q[8];
            out[1] = q[6];
            rt::Ok(())
        }
        #[inline(always)]
        fn force(&self, t: f64, g: &[f64; 2], v: &[f64; 3], out: &mut [f64; 3]) {
            out[0] = rt::dot2(14.765625_f64, v[1] * v[2], 147.15_f64, g[0]);
            out[1] = 0.0_f64;
            out[2] = -rt::dot2(14.765625_f64, v[0] * v[1], 147.15_f64, g[1]);
        }
        #[inline(always)]
        fn mass_times(&self, w: &[f64; 3], out: &mut [f64; 3]) {
            out[0] = 15.234375_f64 * w[0];
            out[1] = 0.46875_f64 * w[1];
            out[2] = 15.234375_f64 * w[2];
        }
        #[inline(always)]
        fn mass_solve(&self, w: &[f64; 3], out: &mut [f64; 3]) {
            out[0] = 0.06564102564102564_f64 * w[0];
            out[1] = 2.1333333333333333_f64 * w[1];
            out[2] = 0.06564102564102564_f64 * w[2];
        }
        fn energy(&self, t: f64, q: &[f64; 9], v: &[f64; 3]) -> rt::Energy {
            rt::Energy {
                kinetic: rt::dot3(
                    7.6171875_f64,
                    v[0] * v[0],
                    0.234375_f64,
                    v[1] * v[1],
                    7.6171875_f64,
                    v[2] * v[2],
                ),
                potential: 147.15_f64 * q[7],
            }
        }
        rt::names_of_bodies!();
        fn may_gain_energy(&self) -> bool {
            rt::description::Description::may_gain_energy(&Self::description(self))
        }
    }
    #[automatically_derived]
    #[allow(
        clippy::unreadable_literal,
        clippy::excessive_precision,
        clippy::too_many_lines,
        clippy::too_many_arguments,
        clippy::similar_names,
        clippy::many_single_char_names,
        clippy::items_after_statements,
        clippy::float_cmp,
        clippy::possible_missing_comma,
        clippy::needless_return,
        clippy::approx_constant,
        dead_code,
        clippy::suboptimal_flops,
        unused_variables,
        unused_imports
    )]
    impl rt::Constrained for FreeTop {
        type Multiplier = [f64; 0];
        type Workspace = rt::Workspace<21, 9, 0, 0, 0>;
        const CONSTANT_JACOBIAN: bool = true;
        fn constraint_count(&self) -> usize {
            0
        }
        fn constraint_name(&self, row: usize) -> rt::String {
            const NAMES: [&str; 0] = [];
            rt::text(NAMES[row])
        }
        fn new_workspace(&self) -> rt::Workspace<21, 9, 0, 0, 0> {
            rt::Workspace::new(
                3,
                &[],
                <rt::SparseNewton as ::core::default::Default>::default(),
            )
        }
        #[inline(always)]
        fn constraint(&self, t: f64, q: &[f64; 9], g: &[f64; 2], out: &mut [f64; 0]) {}
        #[inline(always)]
        fn jacobian_times(&self, g: &[f64; 2], w: &[f64; 3], out: &mut [f64; 0]) {}
        #[inline(always)]
        fn jacobian_transpose_times(
            &self,
            g: &[f64; 2],
            lambda: &[f64; 0],
            out: &mut [f64; 3],
        ) {
            out[0] = 0.0_f64;
            out[1] = 0.0_f64;
            out[2] = 0.0_f64;
        }
        #[inline(always)]
        fn constraint_rate(&self, t: f64, g: &[f64; 2], out: &mut [f64; 0]) {}
        fn constraint_quadratic(
            &self,
            t: f64,
            q: &[f64; 9],
            g: &[f64; 2],
            v: &[f64; 3],
            out: &mut [f64; 0],
        ) {
            rt::Implicit::jacobian_derivative_times(self, q, g, v, v, out);
        }
        #[inline(always)]
        fn schur_solve(
            &self,
            n: &[f64; 2],
            g: &[f64; 2],
            right: &mut [f64; 0],
            workspace: &mut rt::Workspace<21, 9, 0, 0, 0>,
        ) -> rt::Result<(), rt::Fault> {
            *right = [];
            rt::Ok(())
        }
        #[inline(always)]
        fn stage_solve(
            &self,
            stage: &rt::Stage<'_, Self>,
            next: &rt::NextStage<'_, Self>,
            vdot: &mut [f64; 3],
            lambda: &mut [f64; 0],
            scratch: &mut rt::Scratch<Self>,
        ) -> rt::Result<(), rt::Fault> {
            let (t, g, v) = (stage.t, stage.geometry, stage.v);
            let (n, u, weight) = (next.geometry, next.v, next.weight);
            *lambda = [];
            *vdot = [
                -rt::dot2(
                    0.9692307692307692_f64,
                    v[1] * v[2],
                    9.659076923076924_f64,
                    g[0],
                ),
                0.0_f64,
                rt::dot2(
                    0.9692307692307692_f64,
                    v[0] * v[1],
                    9.659076923076924_f64,
                    g[1],
                ),
            ];
            rt::Ok(())
        }
        rt::branches_of_joints!();
    }
    #[automatically_derived]
    #[allow(
        clippy::unreadable_literal,
        clippy::excessive_precision,
        clippy::too_many_lines,
        clippy::too_many_arguments,
        clippy::similar_names,
        clippy::many_single_char_names,
        clippy::items_after_statements,
        clippy::float_cmp,
        clippy::possible_missing_comma,
        clippy::needless_return,
        clippy::approx_constant,
        dead_code,
        clippy::suboptimal_flops,
        unused_variables,
        unused_imports
    )]
    impl rt::Implicit for FreeTop {
        const SHORT_ITERATION: bool = true;
        #[inline(always)]
        fn jacobian_derivative_times(
            &self,
            q: &[f64; 9],
            g: &[f64; 2],
            v: &[f64; 3],
            w: &[f64; 3],
            out: &mut [f64; 0],
        ) {}
        #[inline(always)]
        fn stiffness_times(
            &self,
            t: f64,
            q: &[f64; 9],
            g: &[f64; 2],
            v: &[f64; 3],
            lambda: &[f64; 0],
            w: &[f64; 3],
            out: &mut [f64; 3],
        ) {
            let [_, _, _, _, _, _, _, q7, ..] = *q;
            let x0 = 147.15_f64 * q7;
            out[0] = rt::det2(147.15_f64 * q[6], w[1], x0, w[0]);
            out[1] = 0.0_f64;
            out[2] = rt::det2(147.15_f64 * q[8], w[1], x0, w[2]);
        }
        #[inline(always)]
        fn damping_times(
            &self,
            t: f64,
            q: &[f64; 9],
            g: &[f64; 2],
            v: &[f64; 3],
            w: &[f64; 3],
            out: &mut [f64; 3],
        ) {
            let [_, v1, ..] = *v;
            let x0 = 15.234375_f64 * v1;
            let x1 = 0.46875_f64 * v1;
            out[0] = rt::dot2(
                w[1],
                rt::det2(15.234375_f64, v[2], 0.46875_f64, v[2]),
                w[2],
                x0 - x1,
            );
            out[1] = 0.0_f64;
            out[2] = rt::dot2(
                w[0],
                x1 - x0,
                w[1],
                rt::det2(0.46875_f64, v[0], 15.234375_f64, v[0]),
            );
        }
        #[inline(always)]
        fn velocity_of_increment(
            &self,
            coefficients: &rt::NewtonCoefficients,
            theta: &[f64; 3],
            k: &[f64; 3],
            push: &[f64; 3],
            out: &mut [f64; 3],
        ) {
            let gamma_h = coefficients.gamma_h;
            let stabilized = coefficients.formulation
                == rt::Formulation::StabilizedIndex2;
            if coefficients.sigma == 0.0 && !stabilized {
                *out = [
                    gamma_h * (theta[0] - k[0]),
                    gamma_h * (theta[1] - k[1]),
                    gamma_h * (theta[2] - k[2]),
                ];
                return;
            }
            if coefficients.sigma == 1.0 {
                let [k0, k1, k2, ..] = *k;
                let [theta0, theta1, theta2, ..] = *theta;
                let x0 = theta1 * theta1;
                let x1 = theta2 * theta2;
                let x2 = theta0 * theta0;
                let x3 = x2 + x0;
                let x4 = x3 + x1;
                let [x5, x6] = {
                    let s = x4;
                    if s < rt::NEAR {
                        [rt::near::sine_defect(s), rt::near::cosc(s)]
                    } else {
                        rt::out_of_line(s, |s| [rt::sine_defect(s), rt::cosc(s)])
                    }
                };
                let x7 = theta2 * x6;
                let x8 = theta0 * theta1 * x5;
                let x9 = theta0 * theta2 * x5;
                let x10 = theta1 * x6;
                let x11 = rt::dot3(
                    k0,
                    rt::sub_mul(1.0_f64, x0 + x1, x5),
                    k1,
                    x7 + x8,
                    k2,
                    x9 - x10,
                );
                let x12 = theta0 * x6;
                let x13 = theta1 * theta2 * x5;
                let x14 = rt::dot3(
                    k0,
                    x8 - x7,
                    k1,
                    rt::sub_mul(1.0_f64, x2 + x1, x5),
                    k2,
                    x12 + x13,
                );
                let x15 = rt::dot3(
                    k0,
                    x10 + x9,
                    k1,
                    x13 - x12,
                    k2,
                    rt::sub_mul(1.0_f64, x3, x5),
                );
                *out = [
                    gamma_h * (push[0] + (theta0 - x11)),
                    gamma_h * (push[1] + (theta1 - x14)),
                    gamma_h * (push[2] + (theta2 - x15)),
                ];
                return;
            }
            if coefficients.sigma == 0.0 {
                let [k0, k1, k2, ..] = *k;
                let [push0, push1, push2, ..] = *push;
                let [theta0, theta1, theta2, ..] = *theta;
                let [x0] = {
                    let s = rt::dot3(theta0, theta0, theta1, theta1, theta2, theta2);
                    if s < rt::NEAR {
                        [rt::near::cot_defect(s)]
                    } else {
                        rt::out_of_line(s, |s| [rt::cot_defect(s)])
                    }
                };
                let x1 = theta1 * x0;
                let x2 = rt::det2(theta0, push1, theta1, push0);
                let x3 = theta2 * x0;
                let x4 = rt::det2(theta2, push0, theta0, push2);
                let x5 = rt::det2(theta1, push2, theta2, push1);
                let x6 = gamma_h
                    * (rt::det2(x1, x2, x3, x4) + rt::add_mul(push0, 0.5_f64, x5)
                        + (theta0 - k0));
                let x7 = theta0 * x0;
                let x8 = gamma_h
                    * (rt::det2(x3, x5, x7, x2) + rt::add_mul(push1, 0.5_f64, x4)
                        + (theta1 - k1));
                let x9 = gamma_h
                    * (rt::det2(x7, x4, x1, x5) + rt::add_mul(push2, 0.5_f64, x2)
                        + (theta2 - k2));
                *out = [x6, x8, x9];
                return;
            }
            rt::velocity_of_increment(self, coefficients, theta, k, push, out);
        }
        #[inline(always)]
        fn newton_residual(
            &self,
            coefficients: &rt::NewtonCoefficients,
            point: &rt::ResidualPoint<'_, Self>,
            geometry: &mut [f64; 2],
            out: &mut rt::NewtonVectors<Self>,
            scratch: &mut rt::Scratch<Self>,
        ) -> rt::Result<(), rt::Fault> {
            let h = coefficients.h;
            let (t, q, v, vdot, lambda) = (
                point.t,
                point.q,
                point.v,
                point.vdot,
                point.lambda,
            );
            let x0 = h * h;
            out.dynamics = [
                x0
                    * rt::dot3(
                        147.15_f64,
                        q[8],
                        14.765625_f64,
                        v[1] * v[2],
                        15.234375_f64,
                        vdot[0],
                    ),
                0.46875_f64 * vdot[1] * x0,
                x0
                    * (15.234375_f64 * vdot[2]
                        - rt::dot2(147.15_f64, q[6], 14.765625_f64, v[0] * v[1])),
            ];
            out.constraint = [];
            rt::Ok(())
        }
        #[inline(always)]
        fn short_iteration(
            &self,
            coefficients: &rt::NewtonCoefficients,
            point: &rt::ShortPoint<'_, Self>,
        ) -> rt::Option<rt::ShortCorrection<Self>> {
            let (h, gamma_h, epsilon_h) = (
                coefficients.h,
                coefficients.gamma_h,
                coefficients.epsilon_h,
            );
            let (t, q, theta, k, known, impulse) = (
                point.t,
                point.q,
                point.theta,
                point.k,
                point.known,
                point.impulse,
            );
            let [k0, k1, k2, ..] = *k;
            let [known0, known1, known2, ..] = *known;
            let [_, _, _, _, _, _, q6, q7, q8, ..] = *q;
            let [theta0, theta1, theta2, ..] = *theta;
            let x0 = h * h;
            let x1 = x0 * gamma_h;
            let x2 = epsilon_h * x1;
            let x3 = theta0 * theta0;
            let x4 = theta1 * theta1;
            let x5 = x3 + x4;
            let x6 = theta2 * theta2;
            let x7 = x5 + x6;
            let [x8, x9, x10] = {
                let s = x7;
                if s < rt::NEAR {
                    [rt::near::sinc(s), rt::near::cosc(s), rt::near::cot_defect(s)]
                } else {
                    rt::out_of_line(s, |s| [rt::sinc(s), rt::cosc(s), rt::cot_defect(s)])
                }
            };
            let x11 = theta1 * x8;
            let x12 = theta0 * theta2;
            let x13 = x9 * x12;
            let x14 = theta1 * theta2;
            let x15 = x9 * x14;
            let x16 = theta0 * x8;
            let x17 = rt::dot3(
                q6,
                x11 + x13,
                q7,
                x15 - x16,
                q8,
                rt::sub_mul(1.0_f64, x5, x9),
            );
            let x18 = 147.15_f64 * x17;
            let x19 = gamma_h * (theta1 - k1);
            let x20 = gamma_h * (theta2 - k2);
            let x21 = rt::dot2(
                15.234375_f64,
                rt::add_mul(known0, theta0, x2),
                x0,
                rt::add_mul(x18, 14.765625_f64, x19 * x20),
            );
            let x22 = 0.46875_f64 * rt::add_mul(known1, theta1, x2);
            let x23 = x4 + x6;
            let x24 = theta2 * x8;
            let x25 = theta0 * theta1;
            let x26 = x9 * x25;
            let x27 = rt::dot3(
                q6,
                rt::sub_mul(1.0_f64, x9, x23),
                q7,
                x24 + x26,
                q8,
                x13 - x11,
            );
            let x28 = 147.15_f64 * x27;
            let x29 = gamma_h * (theta0 - k0);
            let x30 = rt::det2(
                15.234375_f64,
                rt::add_mul(known2, theta2, x2),
                x0,
                rt::add_mul(x28, 14.765625_f64, x29 * x19),
            );
            let x31 = rt::sub_mul(1.0_f64, x23, x10);
            let x32 = 15.234375_f64 * x2;
            let x33 = 0.5_f64 * theta2;
            let x34 = x25 * x10;
            let x35 = x33 + x34;
            let x36 = x1 * (14.765625_f64 * x20);
            let x37 = x12 * x10;
            let x38 = 0.5_f64 * theta1;
            let x39 = x37 - x38;
            let x40 = x1 * (14.765625_f64 * x19);
            let x41 = x3 + x6;
            let x42 = rt::dot3(
                q6,
                x26 - x24,
                q7,
                rt::sub_mul(1.0_f64, x9, x41),
                q8,
                x16 + x15,
            );
            let x43 = x0 * (147.15_f64 * x42);
            let x44 = 1.0_f64 / (rt::dot3(x31, x32, x35, x36, x39, x40) - x43);
            let x45 = x34 - x33;
            let x46 = rt::sub_mul(1.0_f64, x41, x10);
            let x47 = 0.5_f64 * theta0;
            let x48 = x14 * x10;
            let x49 = x47 + x48;
            let x50 = rt::add_mul(rt::dot3(x45, x32, x46, x36, x49, x40), x0, x28);
            let x51 = 0.46875_f64 * x2;
            let x52 = x35 * x51 * x44;
            let x53 = x50 * x52;
            let x54 = 1.0_f64 / (x46 * x51 - x53);
            let x55 = rt::sub_mul(x22, x21, x52);
            let x56 = x48 - x47;
            let x57 = x38 + x37;
            let x58 = rt::sub_mul(1.0_f64, x5, x10);
            let x59 = rt::dot3(x57, x32, x56, x36, x58, x40);
            let x60 = rt::det2(x56, x51, x52, x59);
            let x61 = x1 * (14.765625_f64 * x29);
            let x62 = x44 * (x39 * x32 - rt::dot2(x31, x40, x35, x61));
            let x63 = rt::sub_mul(
                rt::add_mul(x49 * x32 - rt::dot2(x45, x40, x46, x61), x0, x18),
                x50,
                x62,
            );
            let x64 = x54 * x63;
            let x65 = x60 * x64;
            let x66 = rt::sub_mul(
                x58 * x32 - rt::dot2(x57, x40, x56, x61) - x43,
                x59,
                x62,
            ) - x65;
            let x67 = 1.0_f64 / x66;
            let x68 = x67 * rt::sub_mul(rt::sub_mul(x30, x21, x62), x55, x64);
            let x69 = x54 * rt::sub_mul(x55, x60, x68);
            let x70 = x44 * rt::sub_mul(rt::sub_mul(x21, x50, x69), x59, x68);
            if rt::is_lost(&[x52, x53 * x54, x65 * x67]) {
                return rt::None;
            }
            let size = rt::ResidualSize {
                dynamics: rt::magnitudes(&[x21, x22, x30]),
                constraint: rt::magnitudes(&[]),
            };
            rt::Some(rt::ShortCorrection {
                size,
                theta: [
                    rt::dot3(x31, x70, x45, x69, x57, x68),
                    rt::dot3(x35, x70, x46, x69, x56, x68),
                    rt::dot3(x39, x70, x49, x69, x58, x68),
                ],
                impulse: [],
            })
        }
        fn newton_factor(
            &self,
            coefficients: &rt::NewtonCoefficients,
            point: &rt::NewtonPoint<'_, Self>,
            workspace: &mut rt::Workspace<21, 9, 0, 0, 0>,
        ) -> rt::Result<(), rt::Fault> {
            let &rt::NewtonCoefficients { h, gamma_h, epsilon_h, sigma, formulation } = coefficients;
            let (t, q, g, s, theta, v, lambda) = (
                point.t,
                point.q,
                point.geometry,
                point.geometry_start,
                point.theta,
                point.v,
                point.lambda,
            );
            let lu = &mut workspace.lu;
            if sigma == 0.0 {
                let [_, _, _, _, _, _, q6, q7, q8, ..] = *q;
                let [theta0, theta1, theta2, ..] = *theta;
                let [v0, v1, v2, ..] = *v;
                let x0 = theta1 * theta1;
                let x1 = theta2 * theta2;
                let x2 = theta0 * theta0;
                let x3 = x2 + x0;
                let [x4] = {
                    let s = x3 + x1;
                    if s < rt::NEAR {
                        [rt::near::cot_defect(s)]
                    } else {
                        rt::out_of_line(s, |s| [rt::cot_defect(s)])
                    }
                };
                let x5 = rt::sub_mul(1.0_f64, x0 + x1, x4);
                let x6 = theta0 * theta1 * x4;
                let x7 = 0.5_f64 * theta2;
                let x8 = x6 - x7;
                let x9 = 0.5_f64 * theta1;
                let x10 = theta0 * theta2 * x4;
                let x11 = x9 + x10;
                let x12 = x7 + x6;
                let x13 = rt::sub_mul(1.0_f64, x2 + x1, x4);
                let x14 = theta1 * theta2 * x4;
                let x15 = 0.5_f64 * theta0;
                let x16 = x14 - x15;
                let x17 = x10 - x9;
                let x18 = x15 + x14;
                let x19 = rt::sub_mul(1.0_f64, x3, x4);
                let x20 = h * h;
                let x21 = x20 * gamma_h;
                let x22 = epsilon_h * x21;
                let x23 = 15.234375_f64 * x22;
                let x24 = 14.765625_f64 * v2 * x21;
                let x25 = 14.765625_f64 * v1 * x21;
                let x26 = 147.15_f64 * q7 * x20;
                let x27 = 1.0_f64 / (rt::dot3(x5, x23, x12, x24, x17, x25) - x26);
                let x28 = 0.46875_f64 * x22;
                let x29 = rt::add_mul(
                    rt::dot3(x8, x23, x13, x24, x18, x25),
                    147.15_f64 * q6,
                    x20,
                );
                let x30 = x12 * x28 * x27;
                let x31 = x29 * x30;
                let x32 = 1.0_f64 / (x13 * x28 - x31);
                let x33 = 14.765625_f64 * v0 * x21;
                let x34 = rt::dot3(x11, x23, x16, x24, x19, x25);
                let x35 = (x17 * x23 - rt::dot2(x5, x25, x12, x33)) * x27;
                let x36 = rt::det2(x16, x28, x34, x30);
                let x37 = rt::sub_mul(
                    rt::add_mul(
                        x18 * x23 - rt::dot2(x8, x25, x13, x33),
                        147.15_f64 * q8,
                        x20,
                    ),
                    x29,
                    x35,
                );
                let x38 = x37 * x32;
                let x39 = x36 * x38;
                let x40 = rt::sub_mul(
                    x19 * x23 - rt::dot2(x11, x25, x16, x33) - x26,
                    x34,
                    x35,
                ) - x39;
                let x41 = 1.0_f64 / x40;
                lu[0] = x5;
                lu[1] = x8;
                lu[2] = x11;
                lu[3] = x12;
                lu[4] = x13;
                lu[5] = x16;
                lu[6] = x17;
                lu[7] = x18;
                lu[8] = x19;
                lu[9] = x27;
                lu[10] = x32;
                lu[11] = x41;
                lu[12] = x29;
                lu[13] = x34;
                lu[14] = x30;
                lu[15] = x36;
                lu[16] = x35;
                lu[17] = x38;
                lu[18] = x30;
                lu[19] = x31 * x32;
                lu[20] = x39 * x41;
                if rt::is_lost(&lu[18..21]) {
                    workspace.kernel = rt::PIVOTED;
                    return rt::pivoted::newton_factor(
                        self,
                        coefficients,
                        point,
                        &mut workspace.dense,
                    );
                }
                workspace.kernel = 0;
                return rt::Ok(());
            }
            if sigma != 0.0 {
                rt::newton_blocks(
                    self,
                    coefficients,
                    point,
                    &mut workspace.slope,
                    &mut workspace.blend,
                );
                let (slope, blend) = (&workspace.slope, &workspace.blend);
                let [_, _, _, _, _, _, q6, q7, q8, ..] = *q;
                let [slope0, slope1, slope2, slope3, slope4, slope5, slope6, slope7,
                slope8, ..] = *slope;
                let [theta0, theta1, theta2, ..] = *theta;
                let [v0, v1, v2, ..] = *v;
                let x0 = theta1 * theta1;
                let x1 = theta2 * theta2;
                let x2 = theta0 * theta0;
                let x3 = x2 + x0;
                let [x4] = {
                    let s = x3 + x1;
                    if s < rt::NEAR {
                        [rt::near::cot_defect(s)]
                    } else {
                        rt::out_of_line(s, |s| [rt::cot_defect(s)])
                    }
                };
                let x5 = theta0 * theta1 * x4;
                let x6 = 0.5_f64 * theta2;
                let x7 = 0.5_f64 * theta1;
                let x8 = theta0 * theta2 * x4;
                let x9 = theta1 * theta2 * x4;
                let x10 = 0.5_f64 * theta0;
                let x11 = h * h;
                let x12 = x11 * epsilon_h;
                let x13 = 15.234375_f64 * x12;
                let x14 = x11 * (14.765625_f64 * v2);
                let x15 = x11 * (14.765625_f64 * v1);
                let x16 = 147.15_f64 * q7 * x11;
                let x17 = 1.0_f64
                    / (rt::dot3(slope0, x13, slope3, x14, slope6, x15) - x16);
                let x18 = 0.46875_f64 * x12;
                let x19 = rt::add_mul(
                    rt::dot3(slope1, x13, slope4, x14, slope7, x15),
                    147.15_f64 * q6,
                    x11,
                );
                let x20 = slope3 * x18 * x17;
                let x21 = x19 * x20;
                let x22 = 1.0_f64 / (slope4 * x18 - x21);
                let x23 = x11 * (14.765625_f64 * v0);
                let x24 = rt::dot3(slope2, x13, slope5, x14, slope8, x15);
                let x25 = (slope6 * x13 - rt::dot2(slope0, x15, slope3, x23)) * x17;
                let x26 = rt::det2(slope5, x18, x24, x20);
                let x27 = rt::sub_mul(
                    rt::add_mul(
                        slope7 * x13 - rt::dot2(slope1, x15, slope4, x23),
                        147.15_f64 * q8,
                        x11,
                    ),
                    x19,
                    x25,
                );
                let x28 = x27 * x22;
                let x29 = x26 * x28;
                let x30 = rt::sub_mul(
                    slope8 * x13 - rt::dot2(slope2, x15, slope5, x23) - x16,
                    x24,
                    x25,
                ) - x29;
                let x31 = 1.0_f64 / x30;
                lu[0] = rt::sub_mul(1.0_f64, x0 + x1, x4);
                lu[1] = x5 - x6;
                lu[2] = x7 + x8;
                lu[3] = x6 + x5;
                lu[4] = rt::sub_mul(1.0_f64, x2 + x1, x4);
                lu[5] = x9 - x10;
                lu[6] = x8 - x7;
                lu[7] = x10 + x9;
                lu[8] = rt::sub_mul(1.0_f64, x3, x4);
                lu[9] = x17;
                lu[10] = x22;
                lu[11] = x31;
                lu[12] = x19;
                lu[13] = x24;
                lu[14] = x20;
                lu[15] = x26;
                lu[16] = x25;
                lu[17] = x28;
                lu[18] = x20;
                lu[19] = x21 * x22;
                lu[20] = x29 * x31;
                if rt::is_lost(&lu[18..21]) {
                    workspace.kernel = rt::PIVOTED;
                    return rt::pivoted::newton_factor(
                        self,
                        coefficients,
                        point,
                        &mut workspace.dense,
                    );
                }
                workspace.kernel = 1;
                return rt::Ok(());
            }
            workspace.kernel = rt::PIVOTED;
            return rt::pivoted::newton_factor(
                self,
                coefficients,
                point,
                &mut workspace.dense,
            );
        }
        fn newton_solve(
            &self,
            vectors: &mut rt::NewtonVectors<Self>,
            workspace: &mut rt::Workspace<21, 9, 0, 0, 0>,
        ) {
            let lu = &workspace.lu;
            match workspace.kernel {
                0 => {
                    let right = &[
                        vectors.dynamics[0],
                        vectors.dynamics[1],
                        vectors.dynamics[2],
                    ];
                    let [_, _, _, _, _, _, _, _, _, lu9, lu10, lu11, lu12, lu13, lu14,
                    lu15, lu16, lu17, ..] = *lu;
                    let [right0, right1, right2, ..] = *right;
                    let x0 = rt::sub_mul(right1, right0, lu14);
                    let x1 = lu11
                        * rt::sub_mul(rt::sub_mul(right2, right0, lu16), lu17, x0);
                    let x2 = lu10 * rt::sub_mul(x0, lu15, x1);
                    let x3 = lu9 * rt::sub_mul(rt::sub_mul(right0, lu12, x2), lu13, x1);
                    vectors.dynamics[0] = rt::dot3(lu[0], x3, lu[1], x2, lu[2], x1);
                    vectors.dynamics[1] = rt::dot3(lu[3], x3, lu[4], x2, lu[5], x1);
                    vectors.dynamics[2] = rt::dot3(lu[6], x3, lu[7], x2, lu[8], x1);
                }
                1 => {
                    let right = &[
                        vectors.dynamics[0],
                        vectors.dynamics[1],
                        vectors.dynamics[2],
                    ];
                    let [_, _, _, _, _, _, _, _, _, lu9, lu10, lu11, lu12, lu13, lu14,
                    lu15, lu16, lu17, ..] = *lu;
                    let [right0, right1, right2, ..] = *right;
                    let x0 = rt::sub_mul(right1, right0, lu14);
                    let x1 = lu11
                        * rt::sub_mul(rt::sub_mul(right2, right0, lu16), lu17, x0);
                    let x2 = lu10 * rt::sub_mul(x0, lu15, x1);
                    let x3 = lu9 * rt::sub_mul(rt::sub_mul(right0, lu12, x2), lu13, x1);
                    vectors.dynamics[0] = rt::dot3(lu[0], x3, lu[1], x2, lu[2], x1);
                    vectors.dynamics[1] = rt::dot3(lu[3], x3, lu[4], x2, lu[5], x1);
                    vectors.dynamics[2] = rt::dot3(lu[6], x3, lu[7], x2, lu[8], x1);
                }
                _ => rt::pivoted::newton_solve(vectors, &mut workspace.dense),
            }
        }
        #[inline(always)]
        fn newton_correction(
            &self,
            coefficients: &rt::NewtonCoefficients,
            point: &rt::NewtonPoint<'_, Self>,
            residual: &mut rt::NewtonVectors<Self>,
            correction: &mut rt::NewtonVectors<Self>,
            workspace: &mut rt::Workspace<21, 9, 0, 0, 0>,
        ) -> rt::Result<(), rt::Fault> {
            let &rt::NewtonCoefficients { h, gamma_h, epsilon_h, sigma, formulation } = coefficients;
            let (t, q, g, s, theta, v, lambda) = (
                point.t,
                point.q,
                point.geometry,
                point.geometry_start,
                point.theta,
                point.v,
                point.lambda,
            );
            if sigma == 0.0 {
                let right = &[
                    residual.dynamics[0],
                    residual.dynamics[1],
                    residual.dynamics[2],
                ];
                let [_, _, _, _, _, _, q6, q7, q8, ..] = *q;
                let [right0, right1, right2, ..] = *right;
                let [theta0, theta1, theta2, ..] = *theta;
                let [v0, v1, v2, ..] = *v;
                let x0 = theta1 * theta1;
                let x1 = theta2 * theta2;
                let x2 = theta0 * theta0;
                let x3 = x2 + x0;
                let [x4] = {
                    let s = x3 + x1;
                    if s < rt::NEAR {
                        [rt::near::cot_defect(s)]
                    } else {
                        rt::out_of_line(s, |s| [rt::cot_defect(s)])
                    }
                };
                let x5 = rt::sub_mul(1.0_f64, x0 + x1, x4);
                let x6 = h * h;
                let x7 = x6 * gamma_h;
                let x8 = epsilon_h * x7;
                let x9 = 15.234375_f64 * x8;
                let x10 = 0.5_f64 * theta2;
                let x11 = theta0 * theta1 * x4;
                let x12 = x10 + x11;
                let x13 = 14.765625_f64 * v2 * x7;
                let x14 = theta0 * theta2 * x4;
                let x15 = 0.5_f64 * theta1;
                let x16 = x14 - x15;
                let x17 = 14.765625_f64 * v1 * x7;
                let x18 = 147.15_f64 * q7 * x6;
                let x19 = 1.0_f64 / (rt::dot3(x5, x9, x12, x13, x16, x17) - x18);
                let x20 = x11 - x10;
                let x21 = rt::sub_mul(1.0_f64, x2 + x1, x4);
                let x22 = 0.5_f64 * theta0;
                let x23 = theta1 * theta2 * x4;
                let x24 = x22 + x23;
                let x25 = rt::add_mul(
                    rt::dot3(x20, x9, x21, x13, x24, x17),
                    147.15_f64 * q6,
                    x6,
                );
                let x26 = 0.46875_f64 * x8;
                let x27 = x12 * x26 * x19;
                let x28 = x25 * x27;
                let x29 = 1.0_f64 / (x21 * x26 - x28);
                let x30 = rt::sub_mul(right1, x27, right0);
                let x31 = x23 - x22;
                let x32 = x15 + x14;
                let x33 = rt::sub_mul(1.0_f64, x3, x4);
                let x34 = rt::dot3(x32, x9, x31, x13, x33, x17);
                let x35 = rt::det2(x31, x26, x34, x27);
                let x36 = 14.765625_f64 * v0 * x7;
                let x37 = (x16 * x9 - rt::dot2(x5, x17, x12, x36)) * x19;
                let x38 = rt::sub_mul(
                    rt::add_mul(
                        x24 * x9 - rt::dot2(x20, x17, x21, x36),
                        147.15_f64 * q8,
                        x6,
                    ),
                    x25,
                    x37,
                );
                let x39 = x38 * x29;
                let x40 = x35 * x39;
                let x41 = rt::sub_mul(
                    x33 * x9 - rt::dot2(x32, x17, x31, x36) - x18,
                    x34,
                    x37,
                ) - x40;
                let x42 = 1.0_f64 / x41;
                let x43 = x42 * rt::sub_mul(rt::sub_mul(right2, x37, right0), x39, x30);
                let x44 = x29 * rt::sub_mul(x30, x35, x43);
                let x45 = x19 * rt::sub_mul(rt::sub_mul(right0, x25, x44), x34, x43);
                if !rt::is_lost(&[x27, x28 * x29, x40 * x42]) {
                    correction.dynamics[0] = rt::dot3(x5, x45, x20, x44, x32, x43);
                    correction.dynamics[1] = rt::dot3(x12, x45, x21, x44, x31, x43);
                    correction.dynamics[2] = rt::dot3(x16, x45, x24, x44, x33, x43);
                    return rt::Ok(());
                }
            }
            if sigma != 0.0 {
                rt::newton_blocks(
                    self,
                    coefficients,
                    point,
                    &mut workspace.slope,
                    &mut workspace.blend,
                );
                let (slope, blend) = (&workspace.slope, &workspace.blend);
                let right = &[
                    residual.dynamics[0],
                    residual.dynamics[1],
                    residual.dynamics[2],
                ];
                let [_, _, _, _, _, _, q6, q7, q8, ..] = *q;
                let [right0, right1, right2, ..] = *right;
                let [slope0, slope1, slope2, slope3, slope4, slope5, slope6, slope7,
                slope8, ..] = *slope;
                let [theta0, theta1, theta2, ..] = *theta;
                let [v0, v1, v2, ..] = *v;
                let x0 = theta1 * theta1;
                let x1 = theta2 * theta2;
                let x2 = theta0 * theta0;
                let x3 = x2 + x0;
                let [x4] = {
                    let s = x3 + x1;
                    if s < rt::NEAR {
                        [rt::near::cot_defect(s)]
                    } else {
                        rt::out_of_line(s, |s| [rt::cot_defect(s)])
                    }
                };
                let x5 = h * h;
                let x6 = x5 * epsilon_h;
                let x7 = 15.234375_f64 * x6;
                let x8 = x5 * (14.765625_f64 * v2);
                let x9 = x5 * (14.765625_f64 * v1);
                let x10 = 147.15_f64 * q7 * x5;
                let x11 = 1.0_f64 / (rt::dot3(slope0, x7, slope3, x8, slope6, x9) - x10);
                let x12 = rt::add_mul(
                    rt::dot3(slope1, x7, slope4, x8, slope7, x9),
                    147.15_f64 * q6,
                    x5,
                );
                let x13 = 0.46875_f64 * x6;
                let x14 = slope3 * x13 * x11;
                let x15 = x12 * x14;
                let x16 = 1.0_f64 / (slope4 * x13 - x15);
                let x17 = rt::sub_mul(right1, right0, x14);
                let x18 = rt::dot3(slope2, x7, slope5, x8, slope8, x9);
                let x19 = rt::det2(slope5, x13, x18, x14);
                let x20 = x5 * (14.765625_f64 * v0);
                let x21 = (slope6 * x7 - rt::dot2(slope0, x9, slope3, x20)) * x11;
                let x22 = rt::sub_mul(
                    rt::add_mul(
                        slope7 * x7 - rt::dot2(slope1, x9, slope4, x20),
                        147.15_f64 * q8,
                        x5,
                    ),
                    x12,
                    x21,
                );
                let x23 = x22 * x16;
                let x24 = x19 * x23;
                let x25 = rt::sub_mul(
                    slope8 * x7 - rt::dot2(slope2, x9, slope5, x20) - x10,
                    x18,
                    x21,
                ) - x24;
                let x26 = 1.0_f64 / x25;
                let x27 = x26 * rt::sub_mul(rt::sub_mul(right2, right0, x21), x23, x17);
                let x28 = x16 * rt::sub_mul(x17, x19, x27);
                let x29 = x11 * rt::sub_mul(rt::sub_mul(right0, x12, x28), x18, x27);
                let x30 = theta0 * theta1 * x4;
                let x31 = 0.5_f64 * theta2;
                let x32 = 0.5_f64 * theta1;
                let x33 = theta0 * theta2 * x4;
                let x34 = rt::dot3(
                    rt::sub_mul(1.0_f64, x0 + x1, x4),
                    x29,
                    x30 - x31,
                    x28,
                    x32 + x33,
                    x27,
                );
                let x35 = theta1 * theta2 * x4;
                let x36 = 0.5_f64 * theta0;
                let x37 = rt::dot3(
                    x31 + x30,
                    x29,
                    rt::sub_mul(1.0_f64, x2 + x1, x4),
                    x28,
                    x35 - x36,
                    x27,
                );
                let x38 = rt::dot3(
                    x33 - x32,
                    x29,
                    x36 + x35,
                    x28,
                    rt::sub_mul(1.0_f64, x3, x4),
                    x27,
                );
                if !rt::is_lost(&[x14, x15 * x16, x24 * x26]) {
                    correction.dynamics[0] = x34;
                    correction.dynamics[1] = x37;
                    correction.dynamics[2] = x38;
                    return rt::Ok(());
                }
            }
            rt::compose_correction(
                self,
                coefficients,
                point,
                residual,
                correction,
                workspace,
            )
        }
    }
    #[automatically_derived]
    #[allow(
        clippy::unreadable_literal,
        clippy::excessive_precision,
        clippy::too_many_lines,
        clippy::too_many_arguments,
        clippy::similar_names,
        clippy::many_single_char_names,
        clippy::items_after_statements,
        clippy::float_cmp,
        clippy::possible_missing_comma,
        clippy::needless_return,
        clippy::approx_constant,
        dead_code,
        clippy::suboptimal_flops,
        unused_variables,
        unused_imports
    )]
    impl rt::Bodies for FreeTop {
        fn space(&self) -> &rt::Space {
            static SPACE: rt::LazyLock<rt::Space> = rt::LazyLock::new(|| rt::Space::with_angles(
                [rt::GroupKind::SO3],
                0,
            ));
            &SPACE
        }
        fn factor_name(&self, factor: usize) -> rt::String {
            const NAMES: [&str; 1] = ["top"];
            rt::text(NAMES[factor])
        }
        fn factor_origin(&self, factor: usize) -> [f64; 3] {
            const ORIGINS: [[f64; 3]; 1] = [[0.0_f64, 0.0_f64, 0.0_f64]];
            ORIGINS[factor]
        }
        fn joints(&self) -> &[rt::JointFrame] {
            use rt::description::{Formula, Function, JointKind, Motion, PositionAxes};
            static JOINTS: rt::LazyLock<rt::Vec<rt::JointFrame>> = rt::LazyLock::new(|| {
                rt::vec![]
            });
            &JOINTS
        }
        fn momentum(&self, q: &[f64; 9], v: &[f64; 3]) -> rt::Momentum {
            let [q0, q1, q2, q3, q4, q5, q6, q7, q8, ..] = *q;
            let [v0, v1, v2, ..] = *v;
            let x0 = 15.0_f64 * rt::det2(v0, q2, v2, q0);
            let x1 = 15.0_f64 * rt::det2(v0, q5, v2, q3);
            let x2 = 15.0_f64 * rt::det2(v0, q8, v2, q6);
            let x3 = 0.234375_f64 * v0;
            let x4 = 0.46875_f64 * v1;
            let x5 = 0.234375_f64 * v2;
            let x6 = rt::det2(q4, x2, q7, x1) + rt::dot3(q0, x3, x4, q1, q2, x5);
            let x7 = rt::det2(q7, x0, q1, x2) + rt::dot3(q3, x3, x4, q4, q5, x5);
            let x8 = rt::det2(q1, x1, q4, x0) + rt::dot3(q6, x3, x4, q7, q8, x5);
            rt::Momentum {
                linear: [x0, x1, x2],
                angular: [x6, x7, x8],
            }
        }
    }
};
