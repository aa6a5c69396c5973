/**

Generated: 1 bodies, 2 velocities, 1 constraints. Degrees of freedom: 1.

| kernel | operations |
|---|---|
| geometry | 2 |
| displacement | 2 |
| geometry of a stage | 4 |
| tangent operator | 0 |
| force | 0 |
| constraint | 5 |
| half-explicit stage | 15 |
| stiffness | 4 |
| residual, Index3 | 17 |
| Newton iteration, Index3, sigma = 0 | 42 |
| Newton matrix, Index3, sigma = 0 | 12 |
| Newton solution, Index3, sigma = 0 | 11 |
| Newton matrix, Index3 | 12 |
| Newton solution, Index3 | 11 |
| Newton matrix, Index2, sigma = 0 | 19 |
| Newton solution, Index2, sigma = 0 | 11 |
| Newton matrix, Index2 | 20 |
| Newton solution, Index2 | 11 |
| Newton matrix, StabilizedIndex2, sigma = 0 | 37 |
| Newton solution, StabilizedIndex2, sigma = 0 | 20 |
| Newton matrix, StabilizedIndex2 | 38 |
| Newton solution, StabilizedIndex2 | 20 |
*/
#[::core::prelude::v1::derive(
    ::core::clone::Clone,
    ::core::marker::Copy,
    ::core::fmt::Debug,
    ::core::default::Default
)]
struct Pendulum;
///Bodies of a state of [`Pendulum`] by name.
#[allow(dead_code)]
trait PendulumState {
    ///The body `bob`.
    fn bob(&self) -> ::polhode::view::BodyView<'_>;
}
const _: () = {
    #[allow(unused_imports)]
    use ::polhode::__private as rt;
    #[allow(unused_imports)]
    use rt::{
        local as blend, local as bool, local as coefficients, local as copy,
        local as correction, local as epsilon_h, local as f64, local as factor,
        local as formulation, local as g, local as g0, local as g1, local as gamma_h,
        local as geometry, local as h, local as impulse, local as impulse0, local as k,
        local as known, local as known0, local as known1, local as lambda,
        local as lambda0, local as lu, local as lu0, local as lu1, local as lu2,
        local as lu3, local as lu4, local as lu5, local as lu8, local as lu9, local as n,
        local as n0, local as n1, local as next, local as out, local as point,
        local as push, local as q, local as q0, local as q1, local as residual,
        local as result, local as right, local as right0, local as right1,
        local as right2, local as right3, local as row, local as s, local as s0,
        local as s1, local as scratch, local as sigma, local as size, local as slope,
        local as stabilized, local as stage, local as steady, local as t, local as theta,
        local as theta0, local as theta1, local as u, local as u0, local as u1,
        local as usize, local as v, local as v0, local as v1, local as vdot,
        local as vectors, local as w, local as w0, local as w1, local as weight,
        local as workspace, local as x0, local as x1, local as x10, local as x11,
        local as x12, local as x13, local as x14, local as x15, local as x16,
        local as x2, local as x3, local as x4, local as x5, local as x6, local as x7,
        local as x8, local as x9,
    };
    #[allow(dead_code)]
    impl Pendulum {
        ///The joint `rod`.
        pub const ROD: rt::Joint<Self> = rt::Joint::new("rod");
    }
    impl PendulumState for rt::State<Pendulum> {
        fn bob(&self) -> ::polhode::view::BodyView<'_> {
            rt::BodyView::new(
                rt::GroupKind::Rn(2),
                &self.q[0usize..2usize],
                &self.v[0usize..2usize],
                [0f64, -1f64, 0f64],
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
    impl Pendulum {
        /// Number of velocities.
        pub const DOF: usize = 2;
        /// Number of constraint equations.
        pub const CONSTRAINTS: usize = 1;
        /// The model as plain data, as the generic system assembles it.
        #[must_use]
        pub fn description(&self) -> rt::description::Description {
            #[allow(clippy::wildcard_imports)]
            use rt::description::*;
            use rt::GroupKind;
            Description {
                name: rt::text("Pendulum"),
                gravity: [0.0_f64, (-9.81_f64), 0.0_f64],
                positions: PositionAxes::Second,
                redundant: Redundancy::Reject,
                bodies: rt::vec![
                    Body { name : rt::text("bob"), group : GroupKind::Rn(2), mass :
                    1.0_f64, inertia : [[0.0_f64, 0.0_f64, 0.0_f64], [0.0_f64, 0.0_f64,
                    0.0_f64], [0.0_f64, 0.0_f64, 0.0_f64]], center : [0.0_f64, 0.0_f64,
                    0.0_f64], start : Start { position : rt::vec![0.0_f64, (- 1.0_f64)],
                    rotation : [1.0_f64, 0.0_f64, 0.0_f64, 0.0_f64], velocity :
                    rt::vec![1.0_f64, 0.0_f64], angular_velocity : [0.0_f64, 0.0_f64,
                    0.0_f64] } },
                ],
                joints: rt::vec![
                    Joint { name : rt::text("rod"), kind : JointKind::Distance { length :
                    1.0_f64 }, first : Attachment { body : rt::text("ground"), point :
                    [0.0_f64, 0.0_f64, 0.0_f64], axes : [[1.0_f64, 0.0_f64, 0.0_f64],
                    [0.0_f64, 1.0_f64, 0.0_f64], [0.0_f64, 0.0_f64, 1.0_f64]] }, second :
                    Attachment { body : rt::text("bob"), point : [0.0_f64, 0.0_f64,
                    0.0_f64], axes : [[1.0_f64, 0.0_f64, 0.0_f64], [0.0_f64, 1.0_f64,
                    0.0_f64], [0.0_f64, 0.0_f64, 1.0_f64]] } },
                ],
                forces: rt::vec![],
                ..<Description as ::core::default::Default>::default()
            }
        }
        /// Operations of each generated function, by its name.
        #[must_use]
        #[allow(clippy::unused_self)]
        pub fn operations(&self) -> &'static [(&'static str, usize)] {
            &[
                ("geometry", 2),
                ("displacement", 2),
                ("geometry of a stage", 4),
                ("tangent operator", 0),
                ("force", 0),
                ("constraint", 5),
                ("half-explicit stage", 15),
                ("stiffness", 4),
                ("residual, Index3", 17),
                ("Newton iteration, Index3, sigma = 0", 42),
                ("Newton matrix, Index3, sigma = 0", 12),
                ("Newton solution, Index3, sigma = 0", 11),
                ("Newton matrix, Index3", 12),
                ("Newton solution, Index3", 11),
                ("Newton matrix, Index2, sigma = 0", 19),
                ("Newton solution, Index2, sigma = 0", 11),
                ("Newton matrix, Index2", 20),
                ("Newton solution, Index2", 11),
                ("Newton matrix, StabilizedIndex2, sigma = 0", 37),
                ("Newton solution, StabilizedIndex2, sigma = 0", 20),
                ("Newton matrix, StabilizedIndex2", 38),
                ("Newton solution, StabilizedIndex2", 20),
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
    impl rt::Manifold for Pendulum {
        type Config = [f64; 2];
        type Velocity = [f64; 2];
        fn start_config(&self) -> [f64; 2] {
            [0.0_f64, (-1.0_f64)]
        }
        fn new_velocity(&self) -> [f64; 2] {
            [0.0; 2]
        }
        #[inline(always)]
        fn displace(&self, q: &[f64; 2], theta: &[f64; 2], out: &mut [f64; 2]) {
            out[0] = q[0] + theta[0];
            out[1] = q[1] + theta[1];
        }
        #[inline(always)]
        fn tangent_inverse(&self, theta: &[f64; 2], v: &[f64; 2], out: &mut [f64; 2]) {
            out[0] = v[0];
            out[1] = v[1];
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
    impl rt::Mechanics for Pendulum {
        type Geometry = [f64; 2];
        fn new_geometry(&self) -> [f64; 2] {
            [0.0; 2]
        }
        fn start_velocity(&self) -> [f64; 2] {
            [1.0_f64, 0.0_f64]
        }
        #[inline(always)]
        fn displaced_geometry(
            &self,
            (t, steady): (f64, bool),
            q: &[f64; 2],
            theta: &[f64; 2],
            out: &mut [f64; 2],
            scratch: &mut [f64; 2],
        ) -> rt::Result<(), rt::Fault> {
            {
                let [q0, q1, ..] = *q;
                let [theta0, theta1, ..] = *theta;
                let x0 = q0 + theta0;
                let x1 = q1 + theta1;
                out[0] = x0 + x0;
                out[1] = x1 + x1;
            }
            rt::Ok(())
        }
        #[inline(always)]
        fn geometry(
            &self,
            t: f64,
            q: &[f64; 2],
            out: &mut [f64; 2],
        ) -> rt::Result<(), rt::Fault> {
            out[0] = q[0] + q[0];
            out[1] = q[1] + q[1];
            rt::Ok(())
        }
        #[inline(always)]
        fn force(&self, t: f64, g: &[f64; 2], v: &[f64; 2], out: &mut [f64; 2]) {
            out[0] = 0.0_f64;
            out[1] = 9.81_f64;
        }
        #[inline(always)]
        fn mass_times(&self, w: &[f64; 2], out: &mut [f64; 2]) {
            out[0] = w[0];
            out[1] = w[1];
        }
        #[inline(always)]
        fn mass_solve(&self, w: &[f64; 2], out: &mut [f64; 2]) {
            out[0] = w[0];
            out[1] = w[1];
        }
        fn energy(&self, t: f64, q: &[f64; 2], v: &[f64; 2]) -> rt::Energy {
            rt::Energy {
                kinetic: rt::dot2(0.5_f64, v[0] * v[0], 0.5_f64, v[1] * v[1]),
                potential: 9.81_f64 * q[1],
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
    impl rt::Constrained for Pendulum {
        type Multiplier = [f64; 1];
        type Workspace = rt::Workspace<14, 0, 0, 0, 0>;
        const CONSTANT_JACOBIAN: bool = false;
        fn constraint_count(&self) -> usize {
            1
        }
        fn constraint_name(&self, row: usize) -> rt::String {
            const NAMES: [&str; 1] = ["joint `rod`, length"];
            rt::text(NAMES[row])
        }
        fn new_workspace(&self) -> rt::Workspace<14, 0, 0, 0, 0> {
            rt::Workspace::new(
                4,
                &[],
                <rt::SparseNewton as ::core::default::Default>::default(),
            )
        }
        #[inline(always)]
        fn constraint(&self, t: f64, q: &[f64; 2], g: &[f64; 2], out: &mut [f64; 1]) {
            out[0] = rt::add_mul(-0.5_f64, 0.5_f64, rt::dot2(q[0], q[0], q[1], q[1]));
        }
        #[inline(always)]
        fn jacobian_times(&self, g: &[f64; 2], w: &[f64; 2], out: &mut [f64; 1]) {
            out[0] = rt::dot2(0.5_f64 * g[0], w[0], 0.5_f64 * g[1], w[1]);
        }
        #[inline(always)]
        fn jacobian_transpose_times(
            &self,
            g: &[f64; 2],
            lambda: &[f64; 1],
            out: &mut [f64; 2],
        ) {
            out[0] = 0.5_f64 * g[0] * lambda[0];
            out[1] = 0.5_f64 * g[1] * lambda[0];
        }
        #[inline(always)]
        fn constraint_rate(&self, t: f64, g: &[f64; 2], out: &mut [f64; 1]) {
            out[0] = 0.0_f64;
        }
        fn constraint_quadratic(
            &self,
            t: f64,
            q: &[f64; 2],
            g: &[f64; 2],
            v: &[f64; 2],
            out: &mut [f64; 1],
        ) {
            rt::Implicit::jacobian_derivative_times(self, q, g, v, v, out);
        }
        #[inline(always)]
        fn schur_solve(
            &self,
            n: &[f64; 2],
            g: &[f64; 2],
            right: &mut [f64; 1],
            workspace: &mut rt::Workspace<14, 0, 0, 0, 0>,
        ) -> rt::Result<(), rt::Fault> {
            let [g0, g1, ..] = *g;
            let [n0, n1, ..] = *n;
            let x0 = rt::dot2(0.5_f64 * g0, 0.5_f64 * n0, 0.5_f64 * g1, 0.5_f64 * n1);
            let x1 = 1.0_f64 / x0;
            if rt::is_lost(&[x0 * x1]) {
                return rt::pivoted::schur_solve(self, n, g, right, &mut workspace.dense);
            }
            *right = [right[0] * x1];
            rt::Ok(())
        }
        #[inline(always)]
        fn stage_solve(
            &self,
            stage: &rt::Stage<'_, Self>,
            next: &rt::NextStage<'_, Self>,
            vdot: &mut [f64; 2],
            lambda: &mut [f64; 1],
            scratch: &mut rt::Scratch<Self>,
        ) -> rt::Result<(), rt::Fault> {
            let (t, g, v) = (stage.t, stage.geometry, stage.v);
            let (n, u, weight) = (next.geometry, next.v, next.weight);
            let [g0, g1, ..] = *g;
            let [n0, n1, ..] = *n;
            let [u0, u1, ..] = *u;
            let x0 = (1.0_f64 / rt::dot2(g0, n0, g1, n1))
                * rt::dot2(n0, weight * u0, n1, rt::add_mul(-9.81_f64, weight, u1));
            let x1 = rt::dot2(0.5_f64 * g0, 0.5_f64 * n0, 0.5_f64 * g1, 0.5_f64 * n1);
            if rt::is_lost(&[x1 * (1.0_f64 / x1)]) {
                return {
                    let mut copy = *lambda;
                    let result = rt::compose_stage(
                        self,
                        &{ *stage },
                        &{ *next },
                        vdot,
                        &mut copy,
                        scratch,
                    );
                    *lambda = copy;
                    result
                };
            }
            *lambda = [2.0_f64 * x0];
            *vdot = [-g0 * x0, rt::sub_mul(-9.81_f64, g1, x0)];
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
    impl rt::Implicit for Pendulum {
        const SHORT_ITERATION: bool = true;
        #[inline(always)]
        fn jacobian_derivative_times(
            &self,
            q: &[f64; 2],
            g: &[f64; 2],
            v: &[f64; 2],
            w: &[f64; 2],
            out: &mut [f64; 1],
        ) {
            let [v0, v1, ..] = *v;
            let [w0, w1, ..] = *w;
            let x0 = rt::dot2(w0, v0, w1, v1);
            out[0] = 0.5_f64 * (x0 + x0);
        }
        #[inline(always)]
        fn stiffness_times(
            &self,
            t: f64,
            q: &[f64; 2],
            g: &[f64; 2],
            v: &[f64; 2],
            lambda: &[f64; 1],
            w: &[f64; 2],
            out: &mut [f64; 2],
        ) {
            let [lambda0, ..] = *lambda;
            let x0 = 0.5_f64 * lambda0;
            let x1 = x0 + x0;
            out[0] = w[0] * x1;
            out[1] = w[1] * x1;
        }
        #[inline(always)]
        fn damping_times(
            &self,
            t: f64,
            q: &[f64; 2],
            g: &[f64; 2],
            v: &[f64; 2],
            w: &[f64; 2],
            out: &mut [f64; 2],
        ) {
            out[0] = 0.0_f64;
            out[1] = 0.0_f64;
        }
        #[inline(always)]
        fn velocity_of_increment(
            &self,
            coefficients: &rt::NewtonCoefficients,
            theta: &[f64; 2],
            k: &[f64; 2],
            push: &[f64; 2],
            out: &mut [f64; 2],
        ) {
            let gamma_h = coefficients.gamma_h;
            let stabilized = coefficients.formulation
                == rt::Formulation::StabilizedIndex2;
            if coefficients.sigma == 0.0 && !stabilized {
                *out = [gamma_h * (theta[0] - k[0]), gamma_h * (theta[1] - k[1])];
                return;
            }
            if coefficients.sigma == 1.0 {
                *out = [
                    gamma_h * (push[0] + (theta[0] - k[0])),
                    gamma_h * (push[1] + (theta[1] - k[1])),
                ];
                return;
            }
            if coefficients.sigma == 0.0 {
                *out = [
                    gamma_h * (push[0] + (theta[0] - k[0])),
                    gamma_h * (push[1] + (theta[1] - k[1])),
                ];
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
            if coefficients.formulation != rt::Formulation::Index3 {
                return rt::compose_residual(
                    self,
                    coefficients,
                    point,
                    geometry,
                    out,
                    scratch,
                );
            }
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
                x0 * rt::add_mul(vdot[0], 0.5_f64 * (q[0] + q[0]), lambda[0]),
                x0 * rt::add_mul(9.81_f64 + vdot[1], 0.5_f64 * (q[1] + q[1]), lambda[0]),
            ];
            out.constraint = [
                rt::add_mul(-0.5_f64, 0.5_f64, rt::dot2(q[0], q[0], q[1], q[1])),
            ];
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
            let [impulse0, ..] = *impulse;
            let [known0, known1, ..] = *known;
            let [q0, q1, ..] = *q;
            let [theta0, theta1, ..] = *theta;
            let x0 = h * h;
            let x1 = epsilon_h * (x0 * gamma_h);
            let x2 = q0 + theta0;
            let x3 = 0.5_f64 * impulse0;
            let x4 = x3 + x3;
            let x5 = rt::add_mul(rt::add_mul(known0, theta0, x1), x2, x4);
            let x6 = q1 + theta1;
            let x7 = rt::add_mul(
                rt::add_mul(rt::add_mul(known1, theta1, x1), 9.81_f64, x0),
                x6,
                x4,
            );
            let x8 = rt::add_mul(-0.5_f64, 0.5_f64, rt::dot2(x2, x2, x6, x6));
            let x9 = 1.0_f64 / (x1 + impulse0);
            let x10 = x2 * x9;
            let x11 = x6 * x9;
            let x12 = x6 * x11;
            let x13 = 1.0_f64 / rt::add_mul(x12, x2, x10);
            let x14 = x13 * rt::sub_mul(rt::sub_mul(x8, x5, x10), x7, x11);
            if rt::is_lost(&[x10, x11, x12 * x13]) {
                return rt::None;
            }
            let size = rt::ResidualSize {
                dynamics: rt::magnitudes(&[x5, x7]),
                constraint: rt::magnitudes(&[x8]),
            };
            rt::Some(rt::ShortCorrection {
                size,
                theta: [x9 * rt::add_mul(x5, x2, x14), x9 * rt::add_mul(x7, x6, x14)],
                impulse: [-x14],
            })
        }
        fn newton_factor(
            &self,
            coefficients: &rt::NewtonCoefficients,
            point: &rt::NewtonPoint<'_, Self>,
            workspace: &mut rt::Workspace<14, 0, 0, 0, 0>,
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
            if formulation == rt::Formulation::Index3 && sigma == 0.0 {
                let [lambda0, ..] = *lambda;
                let [q0, q1, ..] = *q;
                let x0 = h * h;
                let x1 = 1.0_f64 / rt::dot2(epsilon_h, x0 * gamma_h, lambda0, x0);
                let x2 = q0 * x1;
                let x3 = q1 * x1;
                let x4 = q1 * x3;
                let x5 = 1.0_f64 / rt::add_mul(x4, q0, x2);
                lu[0] = x1;
                lu[1] = x5;
                lu[2] = q0;
                lu[3] = q1;
                lu[4] = x2;
                lu[5] = x3;
                lu[6] = x2;
                lu[7] = x3;
                lu[8] = x4 * x5;
                if rt::is_lost(&lu[6..9]) {
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
            if formulation == rt::Formulation::Index3 && sigma != 0.0 {
                rt::newton_blocks(
                    self,
                    coefficients,
                    point,
                    &mut workspace.slope,
                    &mut workspace.blend,
                );
                let (slope, blend) = (&workspace.slope, &workspace.blend);
                let [lambda0, ..] = *lambda;
                let [q0, q1, ..] = *q;
                let x0 = h * h;
                let x1 = 1.0_f64 / rt::dot2(lambda0, x0, gamma_h, x0 * epsilon_h);
                let x2 = q0 * x1;
                let x3 = q1 * x1;
                let x4 = q1 * x3;
                let x5 = 1.0_f64 / rt::add_mul(x4, q0, x2);
                lu[0] = x1;
                lu[1] = x5;
                lu[2] = q0;
                lu[3] = q1;
                lu[4] = x2;
                lu[5] = x3;
                lu[6] = x2;
                lu[7] = x3;
                lu[8] = x4 * x5;
                if rt::is_lost(&lu[6..9]) {
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
            if formulation == rt::Formulation::Index2 && sigma == 0.0 {
                let [lambda0, ..] = *lambda;
                let [q0, q1, ..] = *q;
                let [v0, v1, ..] = *v;
                let x0 = h * h;
                let x1 = 1.0_f64 / rt::dot2(epsilon_h, x0 * gamma_h, lambda0, x0);
                let x2 = h * gamma_h;
                let x3 = x1 * rt::dot2(q0, x2, v0, h);
                let x4 = x1 * rt::dot2(q1, x2, v1, h);
                let x5 = q1 * x4;
                let x6 = 1.0_f64 / rt::add_mul(x5, q0, x3);
                lu[0] = x1;
                lu[1] = x6;
                lu[2] = q0;
                lu[3] = q1;
                lu[4] = x3;
                lu[5] = x4;
                lu[6] = x3;
                lu[7] = x4;
                lu[8] = x5 * x6;
                if rt::is_lost(&lu[6..9]) {
                    workspace.kernel = rt::PIVOTED;
                    return rt::pivoted::newton_factor(
                        self,
                        coefficients,
                        point,
                        &mut workspace.dense,
                    );
                }
                workspace.kernel = 2;
                return rt::Ok(());
            }
            if formulation == rt::Formulation::Index2 && sigma != 0.0 {
                rt::newton_blocks(
                    self,
                    coefficients,
                    point,
                    &mut workspace.slope,
                    &mut workspace.blend,
                );
                let (slope, blend) = (&workspace.slope, &workspace.blend);
                let [lambda0, ..] = *lambda;
                let [q0, q1, ..] = *q;
                let [v0, v1, ..] = *v;
                let x0 = h * h;
                let x1 = 1.0_f64 / rt::dot2(lambda0, x0, gamma_h, x0 * epsilon_h);
                let x2 = x1 * rt::dot2(v0, h, h, q0 * gamma_h);
                let x3 = x1 * rt::dot2(v1, h, h, q1 * gamma_h);
                let x4 = q1 * x3;
                let x5 = 1.0_f64 / rt::add_mul(x4, q0, x2);
                lu[0] = x1;
                lu[1] = x5;
                lu[2] = q0;
                lu[3] = q1;
                lu[4] = x2;
                lu[5] = x3;
                lu[6] = x2;
                lu[7] = x3;
                lu[8] = x4 * x5;
                if rt::is_lost(&lu[6..9]) {
                    workspace.kernel = rt::PIVOTED;
                    return rt::pivoted::newton_factor(
                        self,
                        coefficients,
                        point,
                        &mut workspace.dense,
                    );
                }
                workspace.kernel = 3;
                return rt::Ok(());
            }
            if formulation == rt::Formulation::StabilizedIndex2 && sigma == 0.0 {
                let [lambda0, ..] = *lambda;
                let [q0, q1, ..] = *q;
                let [s0, s1, ..] = *s;
                let [v0, v1, ..] = *v;
                let x0 = 1.0_f64 / q1;
                let x1 = h * h;
                let x2 = rt::dot2(epsilon_h, x1 * gamma_h, lambda0, x1);
                let x3 = q0 * x0;
                let x4 = x2 * x3;
                let x5 = x3 * x4;
                let x6 = 1.0_f64 / (x2 + x5);
                let x7 = h * gamma_h;
                let x8 = 0.5_f64 * s0 * x7;
                let x9 = 0.5_f64 * s1 * x7;
                let x10 = x1 * epsilon_h;
                let x11 = x10 * x9;
                let x12 = rt::det2(x10, x8, x11, x3);
                let x13 = rt::dot2(q1, x7, v1, h);
                let x14 = rt::sub_mul(rt::dot2(q0, x7, v0, h), x13, x3) * x6;
                let x15 = x12 * x14;
                let x16 = 1.0_f64 / (h * rt::dot2(q0, x8, q1, x9) - x15);
                lu[0] = x0;
                lu[1] = x6;
                lu[2] = x16;
                lu[3] = x4;
                lu[4] = x3;
                lu[5] = x12;
                lu[6] = x2;
                lu[7] = x11;
                lu[8] = x14;
                lu[9] = x13;
                lu[10] = x3;
                lu[11] = x0 * x4;
                lu[12] = x5 * x6;
                lu[13] = x15 * x16;
                if rt::is_lost(&lu[10..14]) {
                    workspace.kernel = rt::PIVOTED;
                    return rt::pivoted::newton_factor(
                        self,
                        coefficients,
                        point,
                        &mut workspace.dense,
                    );
                }
                workspace.kernel = 4;
                return rt::Ok(());
            }
            if formulation == rt::Formulation::StabilizedIndex2 && sigma != 0.0 {
                rt::newton_blocks(
                    self,
                    coefficients,
                    point,
                    &mut workspace.slope,
                    &mut workspace.blend,
                );
                let (slope, blend) = (&workspace.slope, &workspace.blend);
                let [lambda0, ..] = *lambda;
                let [q0, q1, ..] = *q;
                let [s0, s1, ..] = *s;
                let [v0, v1, ..] = *v;
                let x0 = 1.0_f64 / q1;
                let x1 = h * h;
                let x2 = x1 * epsilon_h;
                let x3 = rt::dot2(lambda0, x1, gamma_h, x2);
                let x4 = q0 * x0;
                let x5 = x3 * x4;
                let x6 = x4 * x5;
                let x7 = 1.0_f64 / (x3 + x6);
                let x8 = h * gamma_h;
                let x9 = 0.5_f64 * s0 * x8;
                let x10 = 0.5_f64 * s1 * x8;
                let x11 = x2 * x10;
                let x12 = rt::det2(x2, x9, x11, x4);
                let x13 = rt::dot2(v1, h, h, q1 * gamma_h);
                let x14 = rt::sub_mul(rt::dot2(v0, h, h, q0 * gamma_h), x13, x4) * x7;
                let x15 = x12 * x14;
                let x16 = 1.0_f64 / (h * rt::dot2(q0, x9, q1, x10) - x15);
                lu[0] = x0;
                lu[1] = x7;
                lu[2] = x16;
                lu[3] = x5;
                lu[4] = x4;
                lu[5] = x12;
                lu[6] = x3;
                lu[7] = x11;
                lu[8] = x14;
                lu[9] = x13;
                lu[10] = x4;
                lu[11] = x0 * x5;
                lu[12] = x6 * x7;
                lu[13] = x15 * x16;
                if rt::is_lost(&lu[10..14]) {
                    workspace.kernel = rt::PIVOTED;
                    return rt::pivoted::newton_factor(
                        self,
                        coefficients,
                        point,
                        &mut workspace.dense,
                    );
                }
                workspace.kernel = 5;
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
            workspace: &mut rt::Workspace<14, 0, 0, 0, 0>,
        ) {
            let lu = &workspace.lu;
            match workspace.kernel {
                0 => {
                    let right = &[
                        vectors.dynamics[0],
                        vectors.dynamics[1],
                        vectors.constraint[0],
                    ];
                    let [_, lu1, _, _, lu4, lu5, ..] = *lu;
                    let [right0, right1, right2, ..] = *right;
                    let x0 = lu1
                        * rt::sub_mul(rt::sub_mul(right2, right0, lu4), right1, lu5);
                    vectors.dynamics[0] = lu[0] * rt::add_mul(right0, lu[2], x0);
                    vectors.dynamics[1] = lu[0] * rt::add_mul(right1, lu[3], x0);
                    vectors.constraint[0] = -x0;
                }
                1 => {
                    let right = &[
                        vectors.dynamics[0],
                        vectors.dynamics[1],
                        vectors.constraint[0],
                    ];
                    let [_, lu1, _, _, lu4, lu5, ..] = *lu;
                    let [right0, right1, right2, ..] = *right;
                    let x0 = lu1
                        * rt::sub_mul(rt::sub_mul(right2, right0, lu4), right1, lu5);
                    vectors.dynamics[0] = lu[0] * rt::add_mul(right0, lu[2], x0);
                    vectors.dynamics[1] = lu[0] * rt::add_mul(right1, lu[3], x0);
                    vectors.constraint[0] = -x0;
                }
                2 => {
                    let right = &[
                        vectors.dynamics[0],
                        vectors.dynamics[1],
                        vectors.constraint[0],
                    ];
                    let [_, lu1, _, _, lu4, lu5, ..] = *lu;
                    let [right0, right1, right2, ..] = *right;
                    let x0 = lu1
                        * rt::sub_mul(rt::sub_mul(right2, right0, lu4), right1, lu5);
                    vectors.dynamics[0] = lu[0] * rt::add_mul(right0, lu[2], x0);
                    vectors.dynamics[1] = lu[0] * rt::add_mul(right1, lu[3], x0);
                    vectors.constraint[0] = -x0;
                }
                3 => {
                    let right = &[
                        vectors.dynamics[0],
                        vectors.dynamics[1],
                        vectors.constraint[0],
                    ];
                    let [_, lu1, _, _, lu4, lu5, ..] = *lu;
                    let [right0, right1, right2, ..] = *right;
                    let x0 = lu1
                        * rt::sub_mul(rt::sub_mul(right2, right0, lu4), right1, lu5);
                    vectors.dynamics[0] = lu[0] * rt::add_mul(right0, lu[2], x0);
                    vectors.dynamics[1] = lu[0] * rt::add_mul(right1, lu[3], x0);
                    vectors.constraint[0] = -x0;
                }
                4 => {
                    let right = &[
                        vectors.dynamics[0],
                        vectors.dynamics[1],
                        vectors.constraint[0],
                        vectors.hidden[0],
                    ];
                    let [lu0, lu1, lu2, lu3, lu4, lu5, _, _, lu8, lu9, ..] = *lu;
                    let [right0, right1, right2, right3, ..] = *right;
                    let x0 = right2 * lu0;
                    let x1 = rt::add_mul(rt::sub_mul(right0, right1, lu4), lu3, x0);
                    let x2 = lu2 * rt::sub_mul(rt::sub_mul(right3, lu9, x0), lu8, x1);
                    let x3 = lu1 * rt::sub_mul(x1, lu5, x2);
                    let x4 = rt::sub_mul(x0, lu4, x3);
                    vectors.dynamics[0] = x3;
                    vectors.dynamics[1] = x4;
                    vectors.constraint[0] = lu0
                        * rt::sub_mul(rt::sub_mul(right1, lu[6], x4), lu[7], x2);
                    vectors.hidden[0] = x2;
                }
                5 => {
                    let right = &[
                        vectors.dynamics[0],
                        vectors.dynamics[1],
                        vectors.constraint[0],
                        vectors.hidden[0],
                    ];
                    let [lu0, lu1, lu2, lu3, lu4, lu5, _, _, lu8, lu9, ..] = *lu;
                    let [right0, right1, right2, right3, ..] = *right;
                    let x0 = right2 * lu0;
                    let x1 = rt::add_mul(rt::sub_mul(right0, right1, lu4), lu3, x0);
                    let x2 = lu2 * rt::sub_mul(rt::sub_mul(right3, lu9, x0), lu8, x1);
                    let x3 = lu1 * rt::sub_mul(x1, lu5, x2);
                    let x4 = rt::sub_mul(x0, lu4, x3);
                    vectors.dynamics[0] = x3;
                    vectors.dynamics[1] = x4;
                    vectors.constraint[0] = lu0
                        * rt::sub_mul(rt::sub_mul(right1, lu[6], x4), lu[7], x2);
                    vectors.hidden[0] = x2;
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
            workspace: &mut rt::Workspace<14, 0, 0, 0, 0>,
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
            if formulation == rt::Formulation::Index3 && sigma == 0.0 {
                let right = &[
                    residual.dynamics[0],
                    residual.dynamics[1],
                    residual.constraint[0],
                ];
                let [lambda0, ..] = *lambda;
                let [q0, q1, ..] = *q;
                let [right0, right1, right2, ..] = *right;
                let x0 = h * h;
                let x1 = 1.0_f64 / rt::dot2(epsilon_h, x0 * gamma_h, lambda0, x0);
                let x2 = q0 * x1;
                let x3 = q1 * x1;
                let x4 = q1 * x3;
                let x5 = 1.0_f64 / rt::add_mul(x4, q0, x2);
                let x6 = x5 * rt::sub_mul(rt::sub_mul(right2, right0, x2), x3, right1);
                if !rt::is_lost(&[x2, x3, x4 * x5]) {
                    correction.dynamics[0] = x1 * rt::add_mul(right0, q0, x6);
                    correction.dynamics[1] = x1 * rt::add_mul(right1, q1, x6);
                    correction.constraint[0] = -x6;
                    return rt::Ok(());
                }
            }
            if formulation == rt::Formulation::Index3 && sigma != 0.0 {
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
                    residual.constraint[0],
                ];
                let [lambda0, ..] = *lambda;
                let [q0, q1, ..] = *q;
                let [right0, right1, right2, ..] = *right;
                let x0 = h * h;
                let x1 = 1.0_f64 / rt::dot2(lambda0, x0, gamma_h, x0 * epsilon_h);
                let x2 = q0 * x1;
                let x3 = q1 * x1;
                let x4 = q1 * x3;
                let x5 = 1.0_f64 / rt::add_mul(x4, q0, x2);
                let x6 = x5 * rt::sub_mul(rt::sub_mul(right2, right0, x2), right1, x3);
                if !rt::is_lost(&[x2, x3, x4 * x5]) {
                    correction.dynamics[0] = x1 * rt::add_mul(right0, q0, x6);
                    correction.dynamics[1] = x1 * rt::add_mul(right1, q1, x6);
                    correction.constraint[0] = -x6;
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
    impl rt::Bodies for Pendulum {
        fn space(&self) -> &rt::Space {
            static SPACE: rt::LazyLock<rt::Space> = rt::LazyLock::new(|| rt::Space::with_angles(
                [rt::GroupKind::Rn(2)],
                0,
            ));
            &SPACE
        }
        fn factor_name(&self, factor: usize) -> rt::String {
            const NAMES: [&str; 1] = ["bob"];
            rt::text(NAMES[factor])
        }
        fn factor_origin(&self, factor: usize) -> [f64; 3] {
            const ORIGINS: [[f64; 3]; 1] = [[0.0_f64, (-1.0_f64), 0.0_f64]];
            ORIGINS[factor]
        }
        fn joints(&self) -> &[rt::JointFrame] {
            use rt::description::{Formula, Function, JointKind, Motion, PositionAxes};
            static JOINTS: rt::LazyLock<rt::Vec<rt::JointFrame>> = rt::LazyLock::new(|| {
                rt::vec![
                    rt::JointFrame { name : rt::text("rod"), kind : JointKind::Distance {
                    length : 1.0_f64 }, positions : PositionAxes::Second, first :
                    rt::Place { body : rt::None, point : [0.0_f64, 0.0_f64, 0.0_f64],
                    axes : [[1.0_f64, 0.0_f64, 0.0_f64], [0.0_f64, 1.0_f64, 0.0_f64],
                    [0.0_f64, 0.0_f64, 1.0_f64]] }, second : rt::Place { body :
                    rt::Some(0), point : [0.0_f64, 0.0_f64, 0.0_f64], axes : [[1.0_f64,
                    0.0_f64, 0.0_f64], [0.0_f64, 1.0_f64, 0.0_f64], [0.0_f64, 0.0_f64,
                    1.0_f64]] }, rows : 0..1, angle : rt::None },
                ]
            });
            &JOINTS
        }
        fn momentum(&self, q: &[f64; 2], v: &[f64; 2]) -> rt::Momentum {
            rt::Momentum {
                linear: [v[0], v[1], 0.0_f64],
                angular: [0.0_f64, 0.0_f64, rt::det2(q[0], v[1], q[1], v[0])],
            }
        }
    }
};
