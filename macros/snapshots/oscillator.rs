/**

Generated: 1 bodies, 3 velocities, 0 constraints. Degrees of freedom: 3.

| kernel | operations |
|---|---|
| geometry | 14 |
| displacement | 3 |
| geometry of a stage | 17 |
| tangent operator | 0 |
| force | 12 |
| constraint | 0 |
| half-explicit stage | 15 |
| stiffness | 64 |
| residual, Index3 | 36 |
| Newton iteration, Index3, sigma = 0 | 192 |
| Newton matrix, Index3, sigma = 0 | 145 |
| Newton solution, Index3, sigma = 0 | 15 |
| Newton matrix, Index3 | 150 |
| Newton solution, Index3 | 15 |
*/
#[::core::prelude::v1::derive(::core::clone::Clone, ::core::fmt::Debug)]
struct Oscillator {
    late: [f64; 1usize],
    constants: [f64; 2usize],
    start: ([f64; 3usize], [f64; 3usize]),
    joints: ::std::vec::Vec<::polhode::joints::JointFrame>,
    assembly: ::core::option::Option<::polhode::consistency::Projection>,
}
///Parameters of [`Oscillator`].
#[::core::prelude::v1::derive(
    ::core::clone::Clone,
    ::core::marker::Copy,
    ::core::fmt::Debug,
    ::core::cmp::PartialEq
)]
struct OscillatorParameters {
    ///
    ///Default 4, above 0.
    pub stiffness: f64,
}
impl ::core::default::Default for OscillatorParameters {
    fn default() -> Self {
        Self { stiffness: 4f64 }
    }
}
///Bodies of a state of [`Oscillator`] by name.
#[allow(dead_code)]
trait OscillatorState {
    ///The body `mass`.
    fn mass(&self) -> ::polhode::view::BodyView<'_>;
}
const _: () = {
    #[allow(unused_imports)]
    use ::polhode::__private as rt;
    #[allow(unused_imports)]
    use rt::{
        local as blend, local as bool, local as c, local as c0, local as coefficients,
        local as constants, local as correction, local as description,
        local as epsilon_h, local as f64, local as factor, local as formulation,
        local as g, local as g1, local as g2, local as g3, local as g4, local as g5,
        local as gamma_h, local as geometry, local as h, local as impulse,
        local as joints, local as k, local as k0, local as k1, local as k2,
        local as known, local as known0, local as known1, local as known2,
        local as lambda, local as lu, local as lu1, local as lu2, local as lu5,
        local as lu6, local as lu7, local as lu8, local as model, local as n,
        local as next, local as out, local as p, local as parameters, local as point,
        local as push, local as q, local as q0, local as q1, local as q2,
        local as residual, local as right, local as right0, local as right1,
        local as right2, local as row, local as s, local as scratch, local as sigma,
        local as size, local as slope, local as stabilized, local as stage,
        local as start, local as steady, local as t, local as theta, local as theta0,
        local as theta1, local as theta2, local as u, local as usize, local as v,
        local as v0, local as v1, local as v2, local as vdot, local as vectors,
        local as w, local as w0, local as w1, local as w2, local as weight,
        local as workspace, local as x0, local as x1, local as x10, local as x11,
        local as x12, local as x13, local as x14, local as x15, local as x16,
        local as x17, local as x18, local as x19, local as x2, local as x20,
        local as x21, local as x22, local as x23, local as x24, local as x25,
        local as x26, local as x27, local as x28, local as x29, local as x3,
        local as x30, local as x31, local as x32, local as x33, local as x34,
        local as x35, local as x36, local as x37, local as x38, local as x39,
        local as x4, local as x40, local as x41, local as x42, local as x43,
        local as x44, local as x45, local as x5, local as x6, local as x7, local as x8,
        local as x9,
    };
    impl OscillatorState for rt::State<Oscillator> {
        fn mass(&self) -> ::polhode::view::BodyView<'_> {
            rt::BodyView::new(
                rt::GroupKind::Rn(3),
                &self.q[0usize..3usize],
                &self.v[0usize..3usize],
                [1.5f64, 0f64, 0f64],
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
    impl Oscillator {
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
            let p = &self.late;
            let mut description = Description {
                name: rt::text("Oscillator"),
                gravity: [0.0_f64, 0.0_f64, 0.0_f64],
                positions: PositionAxes::Second,
                redundant: Redundancy::Reject,
                bodies: rt::vec![
                    Body { name : rt::text("mass"), group : GroupKind::Rn(3), mass :
                    2.0_f64, inertia : [[0.0_f64, 0.0_f64, 0.0_f64], [0.0_f64, 0.0_f64,
                    0.0_f64], [0.0_f64, 0.0_f64, 0.0_f64]], center : [0.0_f64, 0.0_f64,
                    0.0_f64], start : Start { position : rt::vec![1.5_f64, 0.0_f64,
                    0.0_f64], rotation : [1.0_f64, 0.0_f64, 0.0_f64, 0.0_f64], velocity :
                    rt::vec![0.0_f64, 0.0_f64, 0.0_f64], angular_velocity : [0.0_f64,
                    0.0_f64, 0.0_f64] } },
                ],
                joints: rt::vec![],
                forces: rt::vec![
                    Force { name : rt::text("spring"), kind : ForceKind::SpringDamper {
                    first : Attachment { body : rt::text("ground"), point : [0.0_f64,
                    0.0_f64, 0.0_f64], axes : [[1.0_f64, 0.0_f64, 0.0_f64], [0.0_f64,
                    1.0_f64, 0.0_f64], [0.0_f64, 0.0_f64, 1.0_f64]] }, second :
                    Attachment { body : rt::text("mass"), point : [0.0_f64, 0.0_f64,
                    0.0_f64], axes : [[1.0_f64, 0.0_f64, 0.0_f64], [0.0_f64, 1.0_f64,
                    0.0_f64], [0.0_f64, 0.0_f64, 1.0_f64]] }, stiffness : p[0], damping :
                    0.1_f64, length : 1.0_f64 } }, Force { name : rt::text("shaker"),
                    kind : ForceKind::Load { at : Attachment { body : rt::text("mass"),
                    point : [0.0_f64, 0.0_f64, 0.0_f64], axes : [[1.0_f64, 0.0_f64,
                    0.0_f64], [0.0_f64, 1.0_f64, 0.0_f64], [0.0_f64, 0.0_f64, 1.0_f64]]
                    }, force : [Formula::Number(0.0_f64), Formula::Number(0.0_f64),
                    Formula::Call(Function::Sin,
                    rt::Box::new(Formula::Mul(rt::Box::new(Formula::Number(3.0_f64)),
                    rt::Box::new(Formula::Time))))], torque : [Formula::Number(0.0_f64),
                    Formula::Number(0.0_f64), Formula::Number(0.0_f64)], frame :
                    LoadFrame::World } },
                ],
                ..<Description as ::core::default::Default>::default()
            };
            rt::set_start(&mut description, &self.start.0, &self.start.1);
            description
        }
        /// Operations of each generated function, by its name.
        #[must_use]
        #[allow(clippy::unused_self)]
        pub fn operations(&self) -> &'static [(&'static str, usize)] {
            &[
                ("geometry", 14),
                ("displacement", 3),
                ("geometry of a stage", 17),
                ("tangent operator", 0),
                ("force", 12),
                ("constraint", 0),
                ("half-explicit stage", 15),
                ("stiffness", 64),
                ("residual, Index3", 36),
                ("Newton iteration, Index3, sigma = 0", 192),
                ("Newton matrix, Index3, sigma = 0", 145),
                ("Newton solution, Index3, sigma = 0", 15),
                ("Newton matrix, Index3", 150),
                ("Newton solution, Index3", 15),
            ]
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
    impl Oscillator {
        fn unchecked(parameters: OscillatorParameters) -> Self {
            let p = [parameters.stiffness];
            let start = ([1.5_f64, 0.0_f64, 0.0_f64], [0.0_f64, 0.0_f64, 0.0_f64]);
            let constants = {
                let p = &p;
                [p[0], 0.5_f64 * p[0]]
            };
            use rt::description::{Formula, Function, JointKind, Motion, PositionAxes};
            let joints = rt::vec![];
            Self {
                late: p,
                constants,
                start,
                joints,
                assembly: rt::None,
            }
        }
        fn started(mut self) -> rt::Result<Self, rt::InvalidParameters> {
            let (mut q, mut v) = self.start;
            rt::check_numbers(&Self::description(&self))?;
            self.assembly = rt::finish_start(
                &self,
                &mut q,
                &mut v,
                &[false, false, false],
                false,
            )?;
            self.start = (q, v);
            rt::check_springs(&Self::description(&self))?;
            rt::Ok(self)
        }
        /// Checks the values, and the start that they give.
        ///
        /// # Errors
        /// A value that is not allowed or makes a number that a component cannot have, a start
        /// that violates a joint, or constraints that repeat each other there.
        pub fn new(
            parameters: OscillatorParameters,
        ) -> rt::Result<Self, rt::InvalidParameters> {
            rt::check_parameter(
                "stiffness",
                parameters.stiffness,
                0.0_f64,
                f64::INFINITY,
                true,
            )?;
            Self::started(Self::unchecked(parameters))
        }
        /// The parameters of this model.
        #[must_use]
        pub fn parameters(&self) -> OscillatorParameters {
            OscillatorParameters {
                stiffness: self.late[0],
            }
        }
        /// How far the start positions moved to fulfil the joints, if they had to.
        #[must_use]
        pub fn assembly(&self) -> rt::Option<rt::Projection> {
            self.assembly
        }
    }
    impl ::core::default::Default for Oscillator {
        fn default() -> Self {
            let model = Self::unchecked(::core::default::Default::default());
            rt::Result::unwrap_or(
                Self::started(::core::clone::Clone::clone(&model)),
                model,
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
    impl rt::Manifold for Oscillator {
        type Config = [f64; 3];
        type Velocity = [f64; 3];
        fn start_config(&self) -> [f64; 3] {
            self.start.0
        }
        fn new_velocity(&self) -> [f64; 3] {
            [0.0; 3]
        }
        #[inline(always)]
        fn displace(&self, q: &[f64; 3], theta: &[f64; 3], out: &mut [f64; 3]) {
            let c = &self.constants;
            out[0] = q[0] + theta[0];
            out[1] = q[1] + theta[1];
            out[2] = q[2] + theta[2];
        }
        #[inline(always)]
        fn tangent_inverse(&self, theta: &[f64; 3], v: &[f64; 3], out: &mut [f64; 3]) {
            let c = &self.constants;
            out[0] = v[0];
            out[1] = v[1];
            out[2] = v[2];
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
    impl rt::Mechanics for Oscillator {
        type Geometry = [f64; 9];
        fn new_geometry(&self) -> [f64; 9] {
            [0.0; 9]
        }
        fn start_velocity(&self) -> [f64; 3] {
            self.start.1
        }
        #[inline(always)]
        fn displaced_geometry(
            &self,
            (t, steady): (f64, bool),
            q: &[f64; 3],
            theta: &[f64; 3],
            out: &mut [f64; 9],
            scratch: &mut [f64; 3],
        ) -> rt::Result<(), rt::Fault> {
            {
                let c = &self.constants;
                let [q0, q1, q2, ..] = *q;
                let [theta0, theta1, theta2, ..] = *theta;
                let x0 = q0 + theta0;
                let x1 = q1 + theta1;
                let x2 = q2 + theta2;
                let x3 = f64::sqrt(rt::dot3(x0, x0, x1, x1, x2, x2));
                let x4 = 1.0_f64 / x3;
                out[0] = x0 * x4;
                out[1] = c[0] * ((-1.0_f64) + x3);
                out[2] = x0;
                out[3] = x1;
                out[4] = x2;
                out[5] = x4;
                out[6] = x1 * x4;
                out[7] = x2 * x4;
                out[8] = f64::sin(3.0_f64 * t);
            }
            rt::Ok(())
        }
        #[inline(always)]
        fn geometry(
            &self,
            t: f64,
            q: &[f64; 3],
            out: &mut [f64; 9],
        ) -> rt::Result<(), rt::Fault> {
            let c = &self.constants;
            let [q0, q1, q2, ..] = *q;
            let x0 = f64::sqrt(rt::dot3(q0, q0, q1, q1, q2, q2));
            let x1 = 1.0_f64 / x0;
            out[0] = q0 * x1;
            out[1] = c[0] * ((-1.0_f64) + x0);
            out[2] = q0;
            out[3] = q1;
            out[4] = q2;
            out[5] = x1;
            out[6] = q1 * x1;
            out[7] = q2 * x1;
            out[8] = f64::sin(3.0_f64 * t);
            rt::Ok(())
        }
        #[inline(always)]
        fn force(&self, t: f64, g: &[f64; 9], v: &[f64; 3], out: &mut [f64; 3]) {
            let c = &self.constants;
            let [_, g1, g2, g3, g4, g5, ..] = *g;
            let [v0, v1, v2, ..] = *v;
            let x0 = rt::add_mul(g1, 0.1_f64, rt::dot3(v0, g2, v1, g3, v2, g4) * g5);
            out[0] = g[0] * x0;
            out[1] = x0 * g[6];
            out[2] = x0 * g[7] - g[8];
        }
        #[inline(always)]
        fn mass_times(&self, w: &[f64; 3], out: &mut [f64; 3]) {
            let c = &self.constants;
            out[0] = 2.0_f64 * w[0];
            out[1] = 2.0_f64 * w[1];
            out[2] = 2.0_f64 * w[2];
        }
        #[inline(always)]
        fn mass_solve(&self, w: &[f64; 3], out: &mut [f64; 3]) {
            let c = &self.constants;
            out[0] = 0.5_f64 * w[0];
            out[1] = 0.5_f64 * w[1];
            out[2] = 0.5_f64 * w[2];
        }
        fn energy(&self, t: f64, q: &[f64; 3], v: &[f64; 3]) -> rt::Energy {
            let c = &self.constants;
            let [q0, q1, q2, ..] = *q;
            let x0 = (-1.0_f64) + f64::sqrt(rt::dot3(q0, q0, q1, q1, q2, q2));
            rt::Energy {
                kinetic: rt::dot3(v[0], v[0], v[1], v[1], v[2], v[2]),
                potential: c[1] * (x0 * x0),
            }
        }
        rt::names_of_bodies!();
        fn may_gain_energy(&self) -> bool {
            rt::description::Description::may_gain_energy(&Self::description(self))
        }
        #[cold]
        fn not_finite_force(
            &self,
            t: f64,
            q: &[f64; 3],
            g: &[f64; 9],
            v: &[f64; 3],
        ) -> rt::Option<rt::String> {
            let c = &self.constants;
            let [_, g1, g2, g3, g4, ..] = *g;
            let [v0, v1, v2, ..] = *v;
            let x0 = rt::dot3(v0, g2, v1, g3, v2, g4);
            let x1 = 0.5_f64 / f64::sqrt(rt::dot3(g2, g2, g3, g3, g4, g4));
            let x2 = rt::add_mul(g1, 0.1_f64, (x0 + x0) * x1);
            let x3 = rt::dot2(v0, x2 * (x1 * (g2 + g2)), v1, x2 * (x1 * (g3 + g3)));
            rt::not_finite(
                &[
                    ("spring", -rt::add_mul(x3, v2, x2 * (x1 * (g4 + g4)))),
                    ("shaker", v2 * g[8]),
                ],
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
    impl rt::Constrained for Oscillator {
        type Multiplier = [f64; 0];
        type Workspace = rt::Workspace<12, 0, 0, 0, 0>;
        const CONSTANT_JACOBIAN: bool = true;
        fn constraint_count(&self) -> usize {
            0
        }
        fn constraint_name(&self, row: usize) -> rt::String {
            const NAMES: [&str; 0] = [];
            rt::text(NAMES[row])
        }
        fn new_workspace(&self) -> rt::Workspace<12, 0, 0, 0, 0> {
            rt::Workspace::new(
                3,
                &[],
                <rt::SparseNewton as ::core::default::Default>::default(),
            )
        }
        #[inline(always)]
        fn constraint(&self, t: f64, q: &[f64; 3], g: &[f64; 9], out: &mut [f64; 0]) {
            let c = &self.constants;
        }
        #[inline(always)]
        fn jacobian_times(&self, g: &[f64; 9], w: &[f64; 3], out: &mut [f64; 0]) {
            let c = &self.constants;
        }
        #[inline(always)]
        fn jacobian_transpose_times(
            &self,
            g: &[f64; 9],
            lambda: &[f64; 0],
            out: &mut [f64; 3],
        ) {
            let c = &self.constants;
            out[0] = 0.0_f64;
            out[1] = 0.0_f64;
            out[2] = 0.0_f64;
        }
        #[inline(always)]
        fn constraint_rate(&self, t: f64, g: &[f64; 9], out: &mut [f64; 0]) {
            let c = &self.constants;
        }
        fn constraint_quadratic(
            &self,
            t: f64,
            q: &[f64; 3],
            g: &[f64; 9],
            v: &[f64; 3],
            out: &mut [f64; 0],
        ) {
            rt::Implicit::jacobian_derivative_times(self, q, g, v, v, out);
        }
        #[inline(always)]
        fn schur_solve(
            &self,
            n: &[f64; 9],
            g: &[f64; 9],
            right: &mut [f64; 0],
            workspace: &mut rt::Workspace<12, 0, 0, 0, 0>,
        ) -> rt::Result<(), rt::Fault> {
            let c = &self.constants;
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
            let c = &self.constants;
            let [_, g1, g2, g3, g4, g5, ..] = *g;
            let [v0, v1, v2, ..] = *v;
            let x0 = rt::add_mul(g1, 0.1_f64, rt::dot3(v0, g2, v1, g3, v2, g4) * g5);
            *lambda = [];
            *vdot = [
                -0.5_f64 * (g[0] * x0),
                -0.5_f64 * (x0 * g[6]),
                -0.5_f64 * (x0 * g[7] - g[8]),
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
    impl rt::Implicit for Oscillator {
        const SHORT_ITERATION: bool = true;
        #[inline(always)]
        fn jacobian_derivative_times(
            &self,
            q: &[f64; 3],
            g: &[f64; 9],
            v: &[f64; 3],
            w: &[f64; 3],
            out: &mut [f64; 0],
        ) {
            let c = &self.constants;
        }
        #[inline(always)]
        fn stiffness_times(
            &self,
            t: f64,
            q: &[f64; 3],
            g: &[f64; 9],
            v: &[f64; 3],
            lambda: &[f64; 0],
            w: &[f64; 3],
            out: &mut [f64; 3],
        ) {
            let c = &self.constants;
            let [c0, ..] = *c;
            let [_, g1, ..] = *g;
            let [q0, q1, q2, ..] = *q;
            let [v0, v1, v2, ..] = *v;
            let [w0, w1, w2, ..] = *w;
            let x0 = f64::sqrt(rt::dot3(q0, q0, q1, q1, q2, q2));
            let x1 = 0.5_f64 / x0;
            let x2 = q0 + q0;
            let x3 = rt::dot3(q0, w0, q1, w1, q2, w2);
            let x4 = x1 * (x3 + x3);
            let x5 = rt::dot3(v0, w0, v1, w1, v2, w2);
            let x6 = rt::dot3(v0, q0, v1, q1, v2, q2);
            let x7 = x6 + x6;
            let x8 = x1 * x4 / x0;
            let x9 = rt::dot2(c0, x4, 0.1_f64, rt::det2(x1, x5 + x5, x7, x8));
            let x10 = rt::add_mul(g1, 0.1_f64, x7 * x1);
            let x11 = q1 + q1;
            let x12 = q2 + q2;
            out[0] = rt::dot2(x1 * x2, x9, rt::det2(x1, w0 + w0, x2, x8), x10);
            out[1] = rt::dot2(x1 * x11, x9, rt::det2(x1, w1 + w1, x11, x8), x10);
            out[2] = rt::dot2(x1 * x12, x9, rt::det2(x1, w2 + w2, x12, x8), x10);
        }
        #[inline(always)]
        fn damping_times(
            &self,
            t: f64,
            q: &[f64; 3],
            g: &[f64; 9],
            v: &[f64; 3],
            w: &[f64; 3],
            out: &mut [f64; 3],
        ) {
            let c = &self.constants;
            let [q0, q1, q2, ..] = *q;
            let x0 = 0.5_f64 / f64::sqrt(rt::dot3(q0, q0, q1, q1, q2, q2));
            let x1 = x0 * (q0 + q0);
            let x2 = 0.1_f64 * x1;
            let x3 = x0 * (q1 + q1);
            let x4 = 0.1_f64 * x3;
            let x5 = x0 * (q2 + q2);
            let x6 = 0.1_f64 * x5;
            out[0] = rt::dot3(w[0], x1 * x2, w[1], x1 * x4, w[2], x1 * x6);
            out[1] = rt::dot3(w[0], x3 * x2, w[1], x3 * x4, w[2], x3 * x6);
            out[2] = rt::dot3(w[0], x5 * x2, w[1], x5 * x4, w[2], x5 * x6);
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
                let c = &self.constants;
                *out = [
                    gamma_h * (theta[0] - k[0]),
                    gamma_h * (theta[1] - k[1]),
                    gamma_h * (theta[2] - k[2]),
                ];
                return;
            }
            if coefficients.sigma == 1.0 {
                let c = &self.constants;
                *out = [
                    gamma_h * (push[0] + (theta[0] - k[0])),
                    gamma_h * (push[1] + (theta[1] - k[1])),
                    gamma_h * (push[2] + (theta[2] - k[2])),
                ];
                return;
            }
            if coefficients.sigma == 0.0 {
                let c = &self.constants;
                *out = [
                    gamma_h * (push[0] + (theta[0] - k[0])),
                    gamma_h * (push[1] + (theta[1] - k[1])),
                    gamma_h * (push[2] + (theta[2] - k[2])),
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
            geometry: &mut [f64; 9],
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
            let c = &self.constants;
            let [c0, ..] = *c;
            let [q0, q1, q2, ..] = *q;
            let [v0, v1, v2, ..] = *v;
            let x0 = h * h;
            let x1 = f64::sqrt(rt::dot3(q0, q0, q1, q1, q2, q2));
            let x2 = 1.0_f64 / x1;
            let x3 = rt::dot2(
                c0,
                (-1.0_f64) + x1,
                0.1_f64,
                rt::dot3(v0, q0, v1, q1, v2, q2) * x2,
            );
            out.dynamics = [
                x0 * rt::dot2(q0 * x2, x3, 2.0_f64, vdot[0]),
                x0 * rt::dot2(x3, q1 * x2, 2.0_f64, vdot[1]),
                x0
                    * rt::add_mul(
                        x3 * (q2 * x2) - f64::sin(3.0_f64 * t),
                        2.0_f64,
                        vdot[2],
                    ),
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
            let c = &self.constants;
            let [c0, ..] = *c;
            let [k0, k1, k2, ..] = *k;
            let [known0, known1, known2, ..] = *known;
            let [q0, q1, q2, ..] = *q;
            let [theta0, theta1, theta2, ..] = *theta;
            let x0 = h * h;
            let x1 = x0 * gamma_h;
            let x2 = epsilon_h * x1;
            let x3 = q0 + theta0;
            let x4 = q1 + theta1;
            let x5 = q2 + theta2;
            let x6 = f64::sqrt(rt::dot3(x3, x3, x4, x4, x5, x5));
            let x7 = 1.0_f64 / x6;
            let x8 = x3 * x7;
            let x9 = gamma_h * (theta0 - k0);
            let x10 = gamma_h * (theta1 - k1);
            let x11 = gamma_h * (theta2 - k2);
            let x12 = rt::dot3(x3, x9, x4, x10, x5, x11);
            let x13 = rt::dot2(c0, (-1.0_f64) + x6, 0.1_f64, x7 * x12);
            let x14 = rt::dot2(2.0_f64, rt::add_mul(known0, theta0, x2), x0, x8 * x13);
            let x15 = x4 * x7;
            let x16 = rt::dot2(2.0_f64, rt::add_mul(known1, theta1, x2), x0, x15 * x13);
            let x17 = x5 * x7;
            let x18 = rt::dot2(
                2.0_f64,
                rt::add_mul(known2, theta2, x2),
                x0,
                x17 * x13 - f64::sin(3.0_f64 * t),
            );
            let x19 = 2.0_f64 * x2;
            let x20 = x7 * x8 / x6;
            let x21 = rt::sub_mul(
                rt::dot2(c0, x8, 0.1_f64, x7 * x9),
                0.1_f64,
                x20 * x12,
            );
            let x22 = rt::add_mul(
                rt::add_mul(x19, x1, 0.1_f64 * (x8 * x8)),
                x0,
                rt::dot2(x8, x21, rt::sub_mul(x7, x3, x20), x13),
            );
            let x23 = 1.0_f64 / x22;
            let x24 = x1 * (0.1_f64 * (x8 * x15));
            let x25 = x7 * x15 / x6;
            let x26 = rt::sub_mul(
                rt::dot2(c0, x15, 0.1_f64, x7 * x10),
                0.1_f64,
                x25 * x12,
            );
            let x27 = rt::add_mul(x24, x0, rt::det2(x8, x26, x3 * x25, x13));
            let x28 = rt::add_mul(
                rt::add_mul(x19, x1, 0.1_f64 * (x15 * x15)),
                x0,
                rt::dot2(x15, x26, rt::sub_mul(x7, x4, x25), x13),
            );
            let x29 = x23 * rt::add_mul(x24, x0, rt::det2(x15, x21, x4 * x20, x13));
            let x30 = x27 * x29;
            let x31 = 1.0_f64 / (x28 - x30);
            let x32 = rt::sub_mul(x16, x14, x29);
            let x33 = x1 * (0.1_f64 * (x15 * x17));
            let x34 = x7 * x17 / x6;
            let x35 = rt::sub_mul(
                rt::dot2(c0, x17, 0.1_f64, x7 * x11),
                0.1_f64,
                x34 * x12,
            );
            let x36 = x1 * (0.1_f64 * (x8 * x17));
            let x37 = rt::add_mul(x36, x0, rt::det2(x8, x35, x3 * x34, x13));
            let x38 = rt::sub_mul(
                rt::add_mul(x33, x0, rt::det2(x15, x35, x4 * x34, x13)),
                x29,
                x37,
            );
            let x39 = rt::add_mul(
                rt::add_mul(x19, x1, 0.1_f64 * (x17 * x17)),
                x0,
                rt::dot2(x17, x35, rt::sub_mul(x7, x5, x34), x13),
            );
            let x40 = x23 * rt::add_mul(x36, x0, rt::det2(x17, x21, x5 * x20, x13));
            let x41 = x31
                * rt::sub_mul(
                    rt::add_mul(x33, x0, rt::det2(x17, x26, x5 * x25, x13)),
                    x27,
                    x40,
                );
            let x42 = x38 * x41;
            let x43 = 1.0_f64 / (rt::sub_mul(x39, x37, x40) - x42);
            let x44 = x43 * rt::sub_mul(rt::sub_mul(x18, x14, x40), x32, x41);
            let x45 = x31 * rt::sub_mul(x32, x38, x44);
            if rt::is_lost(&[x29, x30 * x31, x42 * x43]) {
                return rt::None;
            }
            let size = rt::ResidualSize {
                dynamics: rt::magnitudes(&[x14, x16, x18]),
                constraint: rt::magnitudes(&[]),
            };
            rt::Some(rt::ShortCorrection {
                size,
                theta: [
                    x23 * rt::sub_mul(rt::sub_mul(x14, x27, x45), x37, x44),
                    x45,
                    x44,
                ],
                impulse: [],
            })
        }
        fn newton_factor(
            &self,
            coefficients: &rt::NewtonCoefficients,
            point: &rt::NewtonPoint<'_, Self>,
            workspace: &mut rt::Workspace<12, 0, 0, 0, 0>,
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
                let c = &self.constants;
                let [c0, ..] = *c;
                let [q0, q1, q2, ..] = *q;
                let [v0, v1, v2, ..] = *v;
                let x0 = h * h;
                let x1 = x0 * gamma_h;
                let x2 = 2.0_f64 * (epsilon_h * x1);
                let x3 = f64::sqrt(rt::dot3(q0, q0, q1, q1, q2, q2));
                let x4 = 1.0_f64 / x3;
                let x5 = q0 * x4;
                let x6 = rt::dot3(v0, q0, v1, q1, v2, q2);
                let x7 = x4 * x5 / x3;
                let x8 = rt::sub_mul(
                    rt::dot2(c0, x5, 0.1_f64, v0 * x4),
                    0.1_f64,
                    x6 * x7,
                );
                let x9 = rt::dot2(c0, (-1.0_f64) + x3, 0.1_f64, x6 * x4);
                let x10 = rt::add_mul(
                    rt::add_mul(x2, 0.1_f64 * (x5 * x5), x1),
                    x0,
                    rt::dot2(x5, x8, x9, rt::sub_mul(x4, q0, x7)),
                );
                let x11 = 1.0_f64 / x10;
                let x12 = q1 * x4;
                let x13 = x4 * x12 / x3;
                let x14 = rt::sub_mul(
                    rt::dot2(c0, x12, 0.1_f64, v1 * x4),
                    0.1_f64,
                    x6 * x13,
                );
                let x15 = rt::add_mul(
                    rt::add_mul(x2, 0.1_f64 * (x12 * x12), x1),
                    x0,
                    rt::dot2(x12, x14, x9, rt::sub_mul(x4, q1, x13)),
                );
                let x16 = 0.1_f64 * (x5 * x12) * x1;
                let x17 = rt::add_mul(x16, x0, rt::det2(x5, x14, x9, q0 * x13));
                let x18 = rt::add_mul(x16, x0, rt::det2(x12, x8, x9, q1 * x7)) * x11;
                let x19 = x17 * x18;
                let x20 = 1.0_f64 / (x15 - x19);
                let x21 = q2 * x4;
                let x22 = x4 * x21 / x3;
                let x23 = rt::sub_mul(
                    rt::dot2(c0, x21, 0.1_f64, v2 * x4),
                    0.1_f64,
                    x6 * x22,
                );
                let x24 = rt::add_mul(
                    rt::add_mul(x2, 0.1_f64 * (x21 * x21), x1),
                    x0,
                    rt::dot2(x21, x23, x9, rt::sub_mul(x4, q2, x22)),
                );
                let x25 = 0.1_f64 * (x5 * x21) * x1;
                let x26 = rt::add_mul(x25, x0, rt::det2(x5, x23, x9, q0 * x22));
                let x27 = rt::add_mul(x25, x0, rt::det2(x21, x8, x9, q2 * x7)) * x11;
                let x28 = 0.1_f64 * (x12 * x21) * x1;
                let x29 = rt::sub_mul(
                    rt::add_mul(x28, x0, rt::det2(x12, x23, x9, q1 * x22)),
                    x26,
                    x18,
                );
                let x30 = rt::sub_mul(
                    rt::add_mul(x28, x0, rt::det2(x21, x14, x9, q2 * x13)),
                    x17,
                    x27,
                ) * x20;
                let x31 = x29 * x30;
                let x32 = 1.0_f64 / (rt::sub_mul(x24, x26, x27) - x31);
                lu[0] = x11;
                lu[1] = x20;
                lu[2] = x32;
                lu[3] = x17;
                lu[4] = x26;
                lu[5] = x18;
                lu[6] = x29;
                lu[7] = x27;
                lu[8] = x30;
                lu[9] = x18;
                lu[10] = x19 * x20;
                lu[11] = x31 * x32;
                if rt::is_lost(&lu[9..12]) {
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
                let c = &self.constants;
                let [c0, ..] = *c;
                let [q0, q1, q2, ..] = *q;
                let [v0, v1, v2, ..] = *v;
                let x0 = h * h;
                let x1 = f64::sqrt(rt::dot3(q0, q0, q1, q1, q2, q2));
                let x2 = 1.0_f64 / x1;
                let x3 = q0 * x2;
                let x4 = rt::dot3(v0, q0, v1, q1, v2, q2);
                let x5 = x2 * x3 / x1;
                let x6 = rt::sub_mul(
                    rt::dot2(c0, x3, 0.1_f64, v0 * x2),
                    0.1_f64,
                    x4 * x5,
                );
                let x7 = rt::dot2(c0, (-1.0_f64) + x1, 0.1_f64, x4 * x2);
                let x8 = 2.0_f64 * (x0 * epsilon_h);
                let x9 = rt::dot2(
                    x0,
                    rt::dot2(x3, x6, x7, rt::sub_mul(x2, q0, x5)),
                    gamma_h,
                    rt::add_mul(x8, x0, 0.1_f64 * (x3 * x3)),
                );
                let x10 = 1.0_f64 / x9;
                let x11 = q1 * x2;
                let x12 = x2 * x11 / x1;
                let x13 = rt::sub_mul(
                    rt::dot2(c0, x11, 0.1_f64, v1 * x2),
                    0.1_f64,
                    x4 * x12,
                );
                let x14 = rt::dot2(
                    x0,
                    rt::dot2(x11, x13, x7, rt::sub_mul(x2, q1, x12)),
                    gamma_h,
                    rt::add_mul(x8, x0, 0.1_f64 * (x11 * x11)),
                );
                let x15 = gamma_h * (x0 * (0.1_f64 * (x3 * x11)));
                let x16 = rt::add_mul(x15, x0, rt::det2(x3, x13, x7, q0 * x12));
                let x17 = rt::add_mul(x15, x0, rt::det2(x11, x6, x7, q1 * x5)) * x10;
                let x18 = x16 * x17;
                let x19 = 1.0_f64 / (x14 - x18);
                let x20 = q2 * x2;
                let x21 = x2 * x20 / x1;
                let x22 = rt::sub_mul(
                    rt::dot2(c0, x20, 0.1_f64, v2 * x2),
                    0.1_f64,
                    x4 * x21,
                );
                let x23 = rt::dot2(
                    x0,
                    rt::dot2(x20, x22, x7, rt::sub_mul(x2, q2, x21)),
                    gamma_h,
                    rt::add_mul(x8, x0, 0.1_f64 * (x20 * x20)),
                );
                let x24 = gamma_h * (x0 * (0.1_f64 * (x3 * x20)));
                let x25 = rt::add_mul(x24, x0, rt::det2(x3, x22, x7, q0 * x21));
                let x26 = rt::add_mul(x24, x0, rt::det2(x20, x6, x7, q2 * x5)) * x10;
                let x27 = gamma_h * (x0 * (0.1_f64 * (x11 * x20)));
                let x28 = rt::sub_mul(
                    rt::add_mul(x27, x0, rt::det2(x11, x22, x7, q1 * x21)),
                    x25,
                    x17,
                );
                let x29 = rt::sub_mul(
                    rt::add_mul(x27, x0, rt::det2(x20, x13, x7, q2 * x12)),
                    x16,
                    x26,
                ) * x19;
                let x30 = x28 * x29;
                let x31 = 1.0_f64 / (rt::sub_mul(x23, x25, x26) - x30);
                lu[0] = x10;
                lu[1] = x19;
                lu[2] = x31;
                lu[3] = x16;
                lu[4] = x25;
                lu[5] = x17;
                lu[6] = x28;
                lu[7] = x26;
                lu[8] = x29;
                lu[9] = x17;
                lu[10] = x18 * x19;
                lu[11] = x30 * x31;
                if rt::is_lost(&lu[9..12]) {
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
            workspace: &mut rt::Workspace<12, 0, 0, 0, 0>,
        ) {
            let lu = &workspace.lu;
            match workspace.kernel {
                0 => {
                    let right = &[
                        vectors.dynamics[0],
                        vectors.dynamics[1],
                        vectors.dynamics[2],
                    ];
                    let c = &self.constants;
                    let [_, lu1, lu2, _, _, lu5, lu6, lu7, lu8, ..] = *lu;
                    let [right0, right1, right2, ..] = *right;
                    let x0 = rt::sub_mul(right1, right0, lu5);
                    let x1 = lu2
                        * rt::sub_mul(rt::sub_mul(right2, right0, lu7), lu8, x0);
                    let x2 = lu1 * rt::sub_mul(x0, lu6, x1);
                    vectors.dynamics[0] = lu[0]
                        * rt::sub_mul(rt::sub_mul(right0, lu[3], x2), lu[4], x1);
                    vectors.dynamics[1] = x2;
                    vectors.dynamics[2] = x1;
                }
                1 => {
                    let right = &[
                        vectors.dynamics[0],
                        vectors.dynamics[1],
                        vectors.dynamics[2],
                    ];
                    let c = &self.constants;
                    let [_, lu1, lu2, _, _, lu5, lu6, lu7, lu8, ..] = *lu;
                    let [right0, right1, right2, ..] = *right;
                    let x0 = rt::sub_mul(right1, right0, lu5);
                    let x1 = lu2
                        * rt::sub_mul(rt::sub_mul(right2, right0, lu7), lu8, x0);
                    let x2 = lu1 * rt::sub_mul(x0, lu6, x1);
                    vectors.dynamics[0] = lu[0]
                        * rt::sub_mul(rt::sub_mul(right0, lu[3], x2), lu[4], x1);
                    vectors.dynamics[1] = x2;
                    vectors.dynamics[2] = x1;
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
            workspace: &mut rt::Workspace<12, 0, 0, 0, 0>,
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
                let c = &self.constants;
                let [c0, ..] = *c;
                let [q0, q1, q2, ..] = *q;
                let [right0, right1, right2, ..] = *right;
                let [v0, v1, v2, ..] = *v;
                let x0 = h * h;
                let x1 = x0 * gamma_h;
                let x2 = 2.0_f64 * (epsilon_h * x1);
                let x3 = f64::sqrt(rt::dot3(q0, q0, q1, q1, q2, q2));
                let x4 = 1.0_f64 / x3;
                let x5 = q0 * x4;
                let x6 = rt::dot3(v0, q0, v1, q1, v2, q2);
                let x7 = x4 * x5 / x3;
                let x8 = rt::sub_mul(
                    rt::dot2(c0, x5, 0.1_f64, v0 * x4),
                    0.1_f64,
                    x6 * x7,
                );
                let x9 = rt::dot2(c0, (-1.0_f64) + x3, 0.1_f64, x6 * x4);
                let x10 = rt::add_mul(
                    rt::add_mul(x2, 0.1_f64 * (x5 * x5), x1),
                    x0,
                    rt::dot2(x5, x8, x9, rt::sub_mul(x4, q0, x7)),
                );
                let x11 = 1.0_f64 / x10;
                let x12 = q1 * x4;
                let x13 = 0.1_f64 * (x5 * x12) * x1;
                let x14 = x4 * x12 / x3;
                let x15 = rt::sub_mul(
                    rt::dot2(c0, x12, 0.1_f64, v1 * x4),
                    0.1_f64,
                    x6 * x14,
                );
                let x16 = rt::add_mul(x13, x0, rt::det2(x5, x15, x9, q0 * x14));
                let x17 = rt::add_mul(
                    rt::add_mul(x2, 0.1_f64 * (x12 * x12), x1),
                    x0,
                    rt::dot2(x12, x15, x9, rt::sub_mul(x4, q1, x14)),
                );
                let x18 = rt::add_mul(x13, x0, rt::det2(x12, x8, x9, q1 * x7)) * x11;
                let x19 = x16 * x18;
                let x20 = 1.0_f64 / (x17 - x19);
                let x21 = rt::sub_mul(right1, x18, right0);
                let x22 = q2 * x4;
                let x23 = 0.1_f64 * (x12 * x22) * x1;
                let x24 = x4 * x22 / x3;
                let x25 = rt::sub_mul(
                    rt::dot2(c0, x22, 0.1_f64, v2 * x4),
                    0.1_f64,
                    x6 * x24,
                );
                let x26 = 0.1_f64 * (x5 * x22) * x1;
                let x27 = rt::add_mul(x26, x0, rt::det2(x5, x25, x9, q0 * x24));
                let x28 = rt::sub_mul(
                    rt::add_mul(x23, x0, rt::det2(x12, x25, x9, q1 * x24)),
                    x27,
                    x18,
                );
                let x29 = rt::add_mul(
                    rt::add_mul(x2, 0.1_f64 * (x22 * x22), x1),
                    x0,
                    rt::dot2(x22, x25, x9, rt::sub_mul(x4, q2, x24)),
                );
                let x30 = rt::add_mul(x26, x0, rt::det2(x22, x8, x9, q2 * x7)) * x11;
                let x31 = rt::sub_mul(
                    rt::add_mul(x23, x0, rt::det2(x22, x15, x9, q2 * x14)),
                    x16,
                    x30,
                ) * x20;
                let x32 = x28 * x31;
                let x33 = 1.0_f64 / (rt::sub_mul(x29, x27, x30) - x32);
                let x34 = x33 * rt::sub_mul(rt::sub_mul(right2, x30, right0), x31, x21);
                let x35 = x20 * rt::sub_mul(x21, x28, x34);
                if !rt::is_lost(&[x18, x19 * x20, x32 * x33]) {
                    correction.dynamics[0] = x11
                        * rt::sub_mul(rt::sub_mul(right0, x16, x35), x27, x34);
                    correction.dynamics[1] = x35;
                    correction.dynamics[2] = x34;
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
                let c = &self.constants;
                let [c0, ..] = *c;
                let [q0, q1, q2, ..] = *q;
                let [right0, right1, right2, ..] = *right;
                let [v0, v1, v2, ..] = *v;
                let x0 = h * h;
                let x1 = f64::sqrt(rt::dot3(q0, q0, q1, q1, q2, q2));
                let x2 = 1.0_f64 / x1;
                let x3 = q0 * x2;
                let x4 = rt::dot3(v0, q0, v1, q1, v2, q2);
                let x5 = x2 * x3 / x1;
                let x6 = rt::sub_mul(
                    rt::dot2(c0, x3, 0.1_f64, v0 * x2),
                    0.1_f64,
                    x4 * x5,
                );
                let x7 = rt::dot2(c0, (-1.0_f64) + x1, 0.1_f64, x4 * x2);
                let x8 = 2.0_f64 * (x0 * epsilon_h);
                let x9 = rt::dot2(
                    x0,
                    rt::dot2(x3, x6, x7, rt::sub_mul(x2, q0, x5)),
                    gamma_h,
                    rt::add_mul(x8, x0, 0.1_f64 * (x3 * x3)),
                );
                let x10 = 1.0_f64 / x9;
                let x11 = q1 * x2;
                let x12 = x2 * x11 / x1;
                let x13 = rt::sub_mul(
                    rt::dot2(c0, x11, 0.1_f64, v1 * x2),
                    0.1_f64,
                    x4 * x12,
                );
                let x14 = gamma_h * (x0 * (0.1_f64 * (x3 * x11)));
                let x15 = rt::add_mul(x14, x0, rt::det2(x3, x13, x7, q0 * x12));
                let x16 = rt::dot2(
                    x0,
                    rt::dot2(x11, x13, x7, rt::sub_mul(x2, q1, x12)),
                    gamma_h,
                    rt::add_mul(x8, x0, 0.1_f64 * (x11 * x11)),
                );
                let x17 = rt::add_mul(x14, x0, rt::det2(x11, x6, x7, q1 * x5)) * x10;
                let x18 = x15 * x17;
                let x19 = 1.0_f64 / (x16 - x18);
                let x20 = rt::sub_mul(right1, right0, x17);
                let x21 = q2 * x2;
                let x22 = x2 * x21 / x1;
                let x23 = rt::sub_mul(
                    rt::dot2(c0, x21, 0.1_f64, v2 * x2),
                    0.1_f64,
                    x4 * x22,
                );
                let x24 = gamma_h * (x0 * (0.1_f64 * (x11 * x21)));
                let x25 = gamma_h * (x0 * (0.1_f64 * (x3 * x21)));
                let x26 = rt::add_mul(x25, x0, rt::det2(x3, x23, x7, q0 * x22));
                let x27 = rt::sub_mul(
                    rt::add_mul(x24, x0, rt::det2(x11, x23, x7, q1 * x22)),
                    x26,
                    x17,
                );
                let x28 = rt::dot2(
                    x0,
                    rt::dot2(x21, x23, x7, rt::sub_mul(x2, q2, x22)),
                    gamma_h,
                    rt::add_mul(x8, x0, 0.1_f64 * (x21 * x21)),
                );
                let x29 = rt::add_mul(x25, x0, rt::det2(x21, x6, x7, q2 * x5)) * x10;
                let x30 = rt::sub_mul(
                    rt::add_mul(x24, x0, rt::det2(x21, x13, x7, q2 * x12)),
                    x15,
                    x29,
                ) * x19;
                let x31 = x27 * x30;
                let x32 = 1.0_f64 / (rt::sub_mul(x28, x26, x29) - x31);
                let x33 = x32 * rt::sub_mul(rt::sub_mul(right2, right0, x29), x30, x20);
                let x34 = x19 * rt::sub_mul(x20, x27, x33);
                if !rt::is_lost(&[x17, x18 * x19, x31 * x32]) {
                    correction.dynamics[0] = x10
                        * rt::sub_mul(rt::sub_mul(right0, x15, x34), x26, x33);
                    correction.dynamics[1] = x34;
                    correction.dynamics[2] = x33;
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
    impl rt::Bodies for Oscillator {
        fn space(&self) -> &rt::Space {
            static SPACE: rt::LazyLock<rt::Space> = rt::LazyLock::new(|| rt::Space::with_angles(
                [rt::GroupKind::Rn(3)],
                0,
            ));
            &SPACE
        }
        fn factor_name(&self, factor: usize) -> rt::String {
            const NAMES: [&str; 1] = ["mass"];
            rt::text(NAMES[factor])
        }
        fn factor_origin(&self, factor: usize) -> [f64; 3] {
            const ORIGINS: [[f64; 3]; 1] = [[1.5_f64, 0.0_f64, 0.0_f64]];
            ORIGINS[factor]
        }
        fn joints(&self) -> &[rt::JointFrame] {
            use rt::description::{Formula, Function, JointKind, Motion, PositionAxes};
            &self.joints
        }
        fn momentum(&self, q: &[f64; 3], v: &[f64; 3]) -> rt::Momentum {
            let c = &self.constants;
            let [v0, v1, v2, ..] = *v;
            let x0 = 2.0_f64 * v0;
            let x1 = 2.0_f64 * v1;
            let x2 = 2.0_f64 * v2;
            rt::Momentum {
                linear: [x0, x1, x2],
                angular: [
                    rt::det2(q[1], x2, q[2], x1),
                    rt::det2(q[2], x0, q[0], x2),
                    rt::det2(q[0], x1, q[1], x0),
                ],
            }
        }
    }
};
