//! Which kernels a model gets, and what each computes.
//!
//! A kernel is a list of outputs over input arrays. Values that depend on the
//! configuration alone and that forces or constraint Jacobians need are computed
//! once per configuration, into the slots of the geometry `g`; the kernels read
//! them from there (`n` is the geometry of the next stage, `s` that of the start
//! of a step).

mod manifold;
mod motion;
mod newton;
mod rows;
mod samples;
mod short;
mod stage;

use std::collections::HashMap;

use crate::expr::{Graph, Id, Node};
use crate::geometry::Direction;
use crate::mechanics::Mechanics;
use motion::{GroupKernels, group_kernels, velocities};
pub(crate) use newton::{Entry, Large, Newton, Sigma, block_entry};
use rows::Rows;
use samples::{Kinematics, Samples};
pub(crate) use short::Short;
pub(crate) use stage::{Solve, Stage};
use stage::{schur_solve, stage};

/// Outputs of one function, by target: an array component or a number.
pub(crate) type Outputs = Vec<Id>;

/// Everything that is emitted for a model.
#[derive(Debug)]
pub(crate) struct Plan {
    /// Values in the geometry.
    pub(crate) slots: Vec<Id>,
    /// Of a small model.
    pub(crate) fused: Option<Fused>,
    /// Continuous angles, of the moved bodies `m` and the angles before in `q`.
    pub(crate) angles: Outputs,
    pub(crate) force: Outputs,
    pub(crate) mass_times: Outputs,
    pub(crate) mass_solve: Outputs,
    pub(crate) constraint: Outputs,
    pub(crate) jacobian_times: Outputs,
    pub(crate) jacobian_transpose_times: Outputs,
    pub(crate) constraint_rate: Outputs,
    /// None if it is the next one with `w = v`.
    pub(crate) quadratic: Option<Outputs>,
    pub(crate) jacobian_derivative_times: Outputs,
    pub(crate) stiffness_times: Outputs,
    pub(crate) damping_times: Outputs,
    pub(crate) energy: Outputs,
    pub(crate) momentum: Outputs,
    /// Of forces that may be no numbers, by their place.
    pub(crate) powers: Vec<(usize, Id)>,
    /// None if it is not written out.
    pub(crate) schur_solve: Option<Solve>,
    /// None if it is not written out.
    pub(crate) stage_solve: Option<Stage>,
    /// With rows that are constant on the constraints, if there are any.
    pub(crate) steady_stage: Option<Stage>,
    /// Whether a stage reads nothing of the next configuration.
    pub(crate) constant_jacobian: bool,
    /// Of a small model, the matrix of every formulation.
    pub(crate) newton: Vec<Newton>,
    /// A whole iteration of Newton's method, if it is short.
    pub(crate) short: Option<Short>,
    /// Of a large one.
    pub(crate) large: Option<Large>,
}

/// What is written out for small models, where values of one body are worth code of their own
/// and whole functions are worth fusing. In a large model the runtime has the code of each group,
/// and composes these functions of others.
#[derive(Debug)]
pub(crate) struct Fused {
    pub(crate) displace: Outputs,
    pub(crate) tangent_inverse: Outputs,
    /// The first slots at `q * exp(theta)`: those that force and stages read.
    pub(crate) displaced_slots: Outputs,
    /// How many of them steady stages read.
    pub(crate) steady_slots: usize,
    /// `h^2 (M v' + g + B^T lambda)` and `Phi`.
    pub(crate) residual: Outputs,
    /// For sigma = 0, for sigma = 1, and for sigma = 0 with `eta`.
    pub(crate) velocities: [Outputs; 3],
}

/// Slots of the geometry.
#[derive(Default)]
struct Slots {
    ids: Vec<Id>,
    places: HashMap<Id, usize>,
}

impl Slots {
    fn place(&mut self, id: Id) -> usize {
        *self.places.entry(id).or_insert_with(|| {
            self.ids.push(id);
            self.ids.len() - 1
        })
    }
}

/// How a kernel sees the configuration.
#[derive(Clone, Copy)]
struct View {
    /// Array of the geometry.
    geometry: &'static str,
    /// Whether values may become slots.
    may_add: bool,
    /// Whether the kernel is given `q` too.
    has_q: bool,
}

const HOT: View = View {
    geometry: "g",
    may_add: true,
    has_q: false,
};
const COLD: View = View {
    geometry: "g",
    may_add: false,
    has_q: true,
};

/// Replaces what depends on the configuration alone by slots.
fn cut(graph: &mut Graph, outputs: &[Id], slots: &mut Slots, view: View) -> Vec<Id> {
    let only = graph.depends_only(&|array| ["q", "t", "c"].contains(&array));
    let timed = graph.depends_only(&|array| ["t", "c"].contains(&array));
    let constant = graph.depends_only(&|array| array == "c");
    let has = |list: &[bool], id: Id| list.get(id.index()).copied().unwrap_or(false);
    let mut replace = |graph: &mut Graph, id: Id| {
        if has(&constant, id) {
            return Some(id);
        }
        if !has(&only, id) {
            return None;
        }
        match graph.node(id) {
            Node::Neg(_) => return None,
            Node::Mul(c, _) if graph.value(c).is_some() => return None,
            _ => {}
        }
        if matches!(graph.node(id), Node::Input(input) if input.array == "q") && view.has_q {
            return Some(id);
        }
        let known = slots.places.contains_key(&id);
        if known || view.may_add || has(&timed, id) {
            let place = slots.place(id);
            return Some(graph.input(view.geometry, place));
        }
        None
    };
    graph.rewrite(outputs, &mut replace)
}

/// Reads the slots that there are.
fn from_slots(graph: &mut Graph, outputs: &[Id], slots: &Slots) -> Outputs {
    graph.rewrite(outputs, &mut |graph, id| {
        let place = slots.places.get(&id)?;
        Some(graph.input("g", *place))
    })
}

impl Plan {
    pub(crate) fn new(m: &mut Mechanics<'_>) -> Self {
        let mut slots = Slots::default();
        let nv = m.model.dof();
        let nc = m.phi.len();

        let force = m.force.clone();
        let force = m.graph().shorter(&force);
        let force = cut(m.graph(), &force, &mut slots, HOT);
        let phi = m.phi.clone();
        let phi: Vec<Id> = phi
            .into_iter()
            .map(|phi| m.geometry.lower_scalar(phi))
            .collect();
        let rates = m.rates(&Direction::of_time());
        let rates: Vec<Id> = rates
            .into_iter()
            .map(|rate| m.geometry.lower_scalar(rate))
            .collect();
        let constraint_rate = cut(m.graph(), &rates, &mut slots, HOT);
        let rows = m.jacobian.clone();
        let steady = manifold::constant_rows(m.graph(), &phi, &rows);
        let steady = steady.map(|rows| Rows::plain(m.graph(), &rows, &mut slots));
        let steady_slots = slots.ids.len();
        let jacobian = Rows::new(m, &mut slots);
        let next = jacobian.at(m.graph(), "n");

        let w = array(m.graph(), "w", nv);
        let lambda = array(m.graph(), "lambda", nc);
        let right = array(m.graph(), "right", nc);
        let reach = reach(m.graph(), nv);
        let mass_times = mass_product(m, &w, false);
        let mass_solve = mass_product(m, &w, true);

        let constraint = cut(m.graph(), &phi, &mut slots, COLD);
        let jacobian_times = jacobian.times(m.graph(), &w);
        let jacobian_transpose_times = jacobian.transpose_times(m.graph(), &lambda, nv);
        let driven = constraint_rate.iter().any(|rate| !m.graph().is_zero(*rate));
        let [quadratic, jacobian_derivative_times] =
            second_derivatives(m).map(|outputs| cut(m.graph(), &outputs, &mut slots, COLD));
        let quadratic = driven.then_some(quadratic);

        let stiffness_times = m.stiffness_times();
        let stiffness_times = cut(m.graph(), &stiffness_times, &mut slots, COLD);
        let damping = m.damping();
        let damping = cut_entries(m.graph(), &damping, &mut slots);
        let damping_times = entries_times(m.graph(), &damping, &w, nv);
        let energy = m.energy().to_vec();
        let momentum = m.momentum().to_vec();

        let GroupKernels {
            displace,
            tangent_inverse,
            angles,
        } = group_kernels(m);
        let model = m.model;
        let constants = m.geometry.constants.clone();
        let kinematics = Kinematics {
            slots: &slots.ids,
            displace: &displace,
            phi: &phi,
            jacobian: &rows,
            constants: &constants,
        };
        let samples = Samples::new(m.graph(), model, &kinematics);
        let coupled = model.coupled_modes() > COUPLED;
        let small = nv + nc <= SMALL && !model.redundant && !coupled;
        let schur_solve = small.then(|| schur_solve(m, &samples, &next, &jacobian, &right));
        let next_rate = moved_to(m.graph(), &constraint_rate, "n");
        let arrays = [&reach[..], &next_rate];
        let regular = !model.redundant;
        let stage_solve = regular.then(|| stage(m, &samples, &force, arrays, &jacobian, &next));
        let constant_jacobian = regular && steady.is_some();
        let steady_stage = steady
            .filter(|steady| regular && *steady != jacobian)
            .map(|steady| stage(m, &samples, &force, arrays, &steady, &steady));
        let fused = small.then(|| Fused {
            displaced_slots: displaced(m.graph(), &slots.ids, &displace),
            steady_slots: if steady_stage.is_some() {
                steady_slots
            } else {
                slots.ids.len()
            },
            residual: residual(m, &rows, &phi, &lambda),
            velocities: velocities(m),
            displace,
            tangent_inverse,
        });
        let (mut newton, mut large, mut short) = (Vec::new(), None, None);
        let start = jacobian.at(m.graph(), "s").jacobian(m.graph(), nv);
        // Where constraints are redundant, all of them hold only up to drift.
        let held = if regular { &phi[..] } else { &[] };
        let parts = newton::Parts::new(m, held, start.clone());
        if small {
            // In index 2 positions drift, unless `B` is constant: with them as they are, Newton's
            // method takes two iterations on the heavy top in SO3xR3, otherwise mostly three.
            let drifts = nc > 0 && !constant_jacobian;
            let drifting = drifts.then(|| newton::Parts::new(m, &[], start));
            // Without constraints all formulations have the matrix of index 3.
            let variants = if nc == 0 { &VARIANTS[..2] } else { &VARIANTS };
            let matrix = |&kind: &(&'static str, Sigma)| {
                let drifting = drifting.as_ref().filter(|_| kind.0 == "Index2");
                newton::newton(m, drifting.unwrap_or(&parts), &samples, kind)
            };
            newton = variants.iter().map(matrix).collect();
            let displace = fused.as_ref().map_or(&[][..], |fused| &fused.displace);
            short = short::short(m, &parts, &samples, (&phi, displace), SHORT_ITERATION);
        } else {
            let limits = UNROLLED.iter();
            let fits = |limit: &&usize| nv + nc <= **limit && regular && !coupled;
            let written_out = limits.filter(fits).count();
            large = Some(newton::large(m, &parts, &samples, written_out));
        }
        let (places, powers): (Vec<usize>, Outputs) = m.powers().into_iter().unzip();
        let powers = from_slots(m.graph(), &powers, &slots);
        Self {
            slots: slots.ids,
            fused,
            angles,
            force,
            mass_times,
            mass_solve,
            constraint,
            jacobian_times,
            jacobian_transpose_times,
            constraint_rate,
            quadratic,
            jacobian_derivative_times,
            stiffness_times,
            damping_times,
            energy,
            momentum,
            powers: places.into_iter().zip(powers).collect(),
            schur_solve,
            stage_solve,
            steady_stage,
            constant_jacobian,
            newton,
            short,
            large,
        }
    }

    /// Memory for the factors of any Newton matrix, with the growth of its pivots.
    pub(crate) fn factors_len(&self) -> usize {
        let lens = self
            .eliminations()
            .map(|n| n.factors.len() + n.growth.len());
        lens.max().unwrap_or(0)
    }

    /// The Newton matrices whose elimination is written out.
    pub(crate) fn eliminations(&self) -> impl Iterator<Item = &Newton> {
        let large = self.large.iter().flat_map(|large| &large.eliminations);
        self.newton.iter().chain(large)
    }

    /// How many operations each kernel takes.
    pub(crate) fn operations(&self, graph: &Graph) -> Vec<(String, usize)> {
        let kernels = self.kernels().into_iter();
        kernels
            .map(|(name, outputs)| (name, graph.operations(&outputs)))
            .collect()
    }

    /// Every kernel with a name.
    fn kernels(&self) -> Vec<(String, Outputs)> {
        let mut kernels = vec![("geometry", self.slots.clone())];
        if let Some(fused) = &self.fused {
            let stage_slots = fused.displaced_slots[..fused.steady_slots].to_vec();
            kernels.extend([
                ("displacement", fused.displace.clone()),
                ("geometry of a stage", stage_slots),
                ("tangent operator", fused.tangent_inverse.clone()),
            ]);
        }
        kernels.push(("force", self.force.clone()));
        kernels.push(("constraint", self.constraint.clone()));
        if let Some(stage) = self.steady_stage.as_ref().or(self.stage_solve.as_ref()) {
            let outputs = [&stage.lambda[..], &stage.vdot].concat();
            kernels.push(("half-explicit stage", outputs));
        }
        kernels.push(("stiffness", self.stiffness_times.clone()));
        if let Some(fused) = &self.fused {
            kernels.push(("residual, Index3", fused.residual.clone()));
        }
        if let Some(short) = &self.short {
            let outputs = [&short.residual[..], &short.correction, &short.growth].concat();
            kernels.push(("Newton iteration, Index3, sigma = 0", outputs));
        }
        let mut kernels: Vec<(String, Outputs)> = kernels
            .into_iter()
            .map(|(name, outputs)| (name.to_owned(), outputs))
            .collect();
        if let Some(large) = &self.large {
            let all = [
                ("entries of Newton matrices", &large.entries),
                ("entries of velocity constraints", &large.hidden),
                ("entries of stabilized index 2", &large.eta),
            ];
            kernels.extend(all.map(|(name, outputs)| (name.to_owned(), outputs.clone())));
        }
        for newton in self.eliminations() {
            let kind = if newton.sigma == Sigma::Zero {
                ", sigma = 0"
            } else {
                ""
            };
            let name = format!("Newton matrix, {}{kind}", newton.formulation);
            kernels.push((name, newton.factors.clone()));
            let name = format!("Newton solution, {}{kind}", newton.formulation);
            kernels.push((name, newton.solution.clone()));
        }
        kernels
    }
}

/// Most unknowns of velocities and multipliers of a small model. In a small model every kernel
/// that a step needs is fused and written out.
const SMALL: usize = 16;
/// Most statements of an iteration of Newton's method that becomes a part of the step. The heavy
/// top takes a seventh less time by it in `SO3xR3`, with 110 statements; in `SE3`, with twice as many,
/// nothing to a third less, depending on the processor.
const SHORT_ITERATION: usize = 300;
/// Most coordinates and multipliers for which the Newton matrices of index 3, index 2 and
/// stabilized index 2 are written out.
const UNROLLED: [usize; 3] = [72, 40, 40];

/// Most modal coordinates of a body with full matrices in a small model. The code of an
/// elimination grows with the third power of them, where that of a mechanism hardly grows faster
/// than the mechanism.
const COUPLED: usize = 12;

/// The Newton matrices of a small model. The code of an elimination grows faster than the model,
/// so a large one has the elimination of index 3 at most, and the others' entries.
const VARIANTS: [(&str, Sigma); 6] = [
    ("Index3", Sigma::Zero),
    ("Index3", Sigma::Other),
    ("Index2", Sigma::Zero),
    ("Index2", Sigma::Other),
    ("StabilizedIndex2", Sigma::Zero),
    ("StabilizedIndex2", Sigma::Other),
];

fn array(g: &mut Graph, name: &'static str, len: usize) -> Vec<Id> {
    (0..len).map(|i| g.input(name, i)).collect()
}

/// `weight u`, `u` the part of the velocity of the next stage that is known.
fn reach(g: &mut Graph, len: usize) -> Vec<Id> {
    let weight = g.number("weight");
    let known = array(g, "u", len);
    known.into_iter().map(|u| g.mul(weight, u)).collect()
}

/// Functions of `q` at the displaced configuration.
fn displaced(g: &mut Graph, functions: &[Id], displace: &[Id]) -> Outputs {
    g.rewrite(functions, &mut |g, id| match g.node(id) {
        Node::Input(input) if input.array == "q" => Some(displace[input.index? as usize]),
        _ => None,
    })
}

/// The same expressions over another geometry.
fn moved_to(g: &mut Graph, entries: &[Id], geometry: &'static str) -> Vec<Id> {
    g.rewrite(entries, &mut |g, id| match g.node(id) {
        Node::Input(input) if input.array == "g" => Some(g.input(geometry, input.index? as usize)),
        _ => None,
    })
}

/// `M x` or `M^-1 x`, body by body.
fn mass_product(m: &mut Mechanics<'_>, x: &[Id], inverse: bool) -> Outputs {
    let blocks = if inverse {
        m.mass_inverse.clone()
    } else {
        m.mass.clone()
    };
    let mut out = Vec::new();
    for (block, body) in blocks.iter().zip(&m.model.bodies) {
        for row in block {
            let g = &mut m.geometry.graph;
            let range = body.velocity..body.velocity + row.len();
            out.push(g.dot(row, &x[range]));
        }
    }
    out
}

/// `Z` and `D_q(B v + dPhi/dt) w`.
fn second_derivatives(m: &mut Mechanics<'_>) -> [Outputs; 2] {
    let (v, w) = (m.direction("v").and_time(), m.direction("w"));
    let rates = m.rates(&v);
    [v, w].map(|along| {
        rates
            .iter()
            .map(|rate| {
                let slope = m.geometry.scalar_derivative(*rate, &along);
                m.geometry.lower_scalar(slope)
            })
            .collect()
    })
}

fn cut_entries(
    g: &mut Graph,
    entries: &[(usize, usize, Id)],
    slots: &mut Slots,
) -> Vec<(usize, usize, Id)> {
    let values: Vec<Id> = entries.iter().map(|(_, _, value)| *value).collect();
    let values = cut(g, &values, slots, COLD);
    entries
        .iter()
        .zip(values)
        .map(|((row, column, _), value)| (*row, *column, value))
        .collect()
}

fn entries_times(g: &mut Graph, entries: &[(usize, usize, Id)], w: &[Id], rows: usize) -> Outputs {
    let mut out = vec![g.zero(); rows];
    for (row, column, entry) in entries {
        let product = g.mul(*entry, w[*column]);
        out[*row] = g.add(out[*row], product);
    }
    out
}

/// `h^2 (M v' + g + B^T lambda)` and `Phi` as functions of `q`.
fn residual(
    m: &mut Mechanics<'_>,
    rows: &[Vec<(usize, Id)>],
    phi: &[Id],
    lambda: &[Id],
) -> Outputs {
    let nv = m.model.dof();
    let vdot = array(m.graph(), "vdot", nv);
    let inertial = mass_product(m, &vdot, false);
    let force = m.force.clone();
    let force = m.graph().shorter(&force);
    let g = &mut m.geometry.graph;
    let push = Rows::of(rows.to_vec()).transpose_times(g, lambda, nv);
    let h = g.number("h");
    let h2 = g.mul(h, h);
    let mut out = Vec::new();
    for i in 0..nv {
        let sum = g.add(inertial[i], force[i]);
        let sum = g.add(sum, push[i]);
        out.push(g.mul(h2, sum));
    }
    out.extend(phi);
    out
}

#[cfg(test)]
mod tests;
