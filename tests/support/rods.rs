//! The two rods of Tumiotto and Arnold (2024), table 3, with their references.

use polhode::chain::{
    Hold, InternalConstraint, Load, Place, Profile, Rod, RodStart, Section, Tree,
};
use polhode::lie::GroupKind;
use polhode::state::State;
use polhode::system::Constrained;
use serde_json::Value;
use std::f64::consts::PI;

use crate::{data, float, floats};

/// Which of the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Case {
    /// Clamped at node 0, rolled up by a moment at its end.
    RollUp,
    /// Free, pushed and turned at node 0 for five seconds.
    Spaghetti,
}

/// A case with its variants.
#[derive(Clone, Debug)]
pub struct Model {
    /// Which rod.
    pub case: Case,
    /// Number of elements.
    pub elements: usize,
    /// Held strains.
    pub constraint: InternalConstraint,
    /// Stiffness and damping of held strains.
    pub held: bool,
    /// Factor of the damping.
    pub damping_factor: f64,
    /// Stiffness of bending and torsion; the moment of the roll-up grows with it.
    pub bending: f64,
    /// Group of the nodes.
    pub group: GroupKind,
}

impl Model {
    /// A case as the references have it, with held strains free of stress.
    pub fn new(case: Case, constraint: InternalConstraint) -> Self {
        Self {
            case,
            elements: if case == Case::RollUp { 8 } else { 16 },
            constraint,
            held: false,
            damping_factor: 2.0,
            bending: 500.0,
            group: GroupKind::S3sR3,
        }
    }

    /// The system, and the places of its nodes.
    ///
    /// # Panics
    /// If the data are invalid.
    pub fn build(&self) -> (Tree, Vec<Place>) {
        let damping = if self.case == Case::RollUp {
            100.0
        } else {
            0.0
        };
        let (k, g) = (self.bending, 1e4);
        let section = Section {
            density: 1.0,
            inertia: [10.0; 3],
            stiffness: [k, k, k, g, g, g],
            damping: [damping; 6],
            damping_factor: self.damping_factor,
        };
        let mut rod = Rod::new("rod", section, 10.0, self.elements);
        rod.group = self.group;
        rod.constraint = self.constraint;
        rod.stiffness_of_held_strains = self.held;
        let mut builder = Tree::builder();
        if self.case == Case::RollUp {
            rod.start = RodStart::along([0.0; 3], [1.0, 0.0, 0.0]);
            rod.ends[0] = Hold::Clamped;
        } else {
            rod.start = RodStart::along([6.0, 0.0, 0.0], [-6.0, 8.0, 0.0]);
        }
        let places = builder.rod(&rod).expect("a valid rod");
        let (place, load) = if self.case == Case::RollUp {
            let moment = [0.0, 2.0 * PI * k / 10.0, 0.0];
            (places[self.elements], Load::dead([0.0; 3], moment))
        } else {
            let load = Load::dead([0.1, 0.0, 0.0], [0.0, -0.5, -1.0]);
            let ramp = vec![(0.0, 0.0), (2.5, 200.0), (5.0, 0.0)];
            (places[0], load.with_profile(Profile::PiecewiseLinear(ramp)))
        };
        builder.load(place, load).expect("a known place");
        (builder.build().expect("a tree"), places)
    }

    /// Name of the reference in `rods.json`.
    pub fn reference_name(&self) -> String {
        let case = match self.case {
            Case::RollUp => "rollup_N8",
            Case::Spaghetti => "spaghetti_N16",
        };
        let constraint = match self.constraint {
            InternalConstraint::Cosserat => "cosserat_unconstrained",
            InternalConstraint::Kirchhoff => "kirchhoff",
            InternalConstraint::Inextensible => "inextensible",
        };
        let suffix = if self.damping_factor == 1.0 {
            "_dampfactor1"
        } else {
            ""
        };
        format!("{case}_{constraint}{suffix}")
    }

    /// Numbers of all nodes without those of a clamped node.
    pub fn free<'a>(&self, all: &'a [f64], numbers: usize) -> &'a [f64] {
        let clamped = usize::from(self.case == Case::RollUp);
        &all[clamped * numbers..]
    }

    /// The reference solutions, as states of the system on `S3sR3`.
    ///
    /// # Panics
    /// If there are none.
    pub fn solutions(&self) -> Vec<Reference> {
        let rods = data("rods.json");
        let runs = rods["runs"][&self.reference_name()]["solutions"]
            .as_array()
            .expect("a reference");
        let read = |run: &Value| Reference {
            t: float(&run["t"]),
            q: self.free(&floats(&run["q"]), 7).to_vec(),
            v: self.free(&floats(&run["v"]), 6).to_vec(),
            lambda: floats(&run["lambda"]),
            energy: float(&run["energy"]),
            work: float(&run["work"]),
            dissipated: float(&run["dissipated"]),
        };
        runs.iter().map(read).collect()
    }
}

/// A state of a reference.
#[derive(Clone, Debug)]
pub struct Reference {
    /// Time.
    pub t: f64,
    /// Configuration of the nodes that move.
    pub q: Vec<f64>,
    /// Their velocities.
    pub v: Vec<f64>,
    /// Multipliers.
    pub lambda: Vec<f64>,
    /// Kinetic and elastic energy.
    pub energy: f64,
    /// Work of the loads since the start.
    pub work: f64,
    /// Energy that the damping took out.
    pub dissipated: f64,
}

impl Reference {
    /// As a state, to start from.
    pub fn state(&self, system: &Tree) -> State<Tree> {
        let mut state = State::start(system, self.t);
        state.q.copy_from_slice(&self.q);
        state.v.copy_from_slice(&self.v);
        state.lambda.copy_from_slice(&self.lambda);
        debug_assert_eq!(system.constraint_count(), self.lambda.len());
        state
    }
}
