//! Velocities of a start that are not given, in systems of any size.
//!
//! From velocities `v` that the given ones led to along a spanning tree, the change `w` of those that
//! are not given is the one of least kinetic energy that fulfils the constraints and leaves the rods
//! as rigid as it can:
//!
//! ```text
//! minimize 1/2 w^T M w   with   B (v + w) = -dPhi/dt,   J (v + w) = 0 (strain rates of all rods),   w = 0 where v is given
//! ```
//!
//! It is the change by a blow: impulses in the joints, and within the rods, make the motion fit, and
//! Kelvin's theorem says that of all motions that fit this one has the least energy. Without the
//! rods as rigid bodies a blow at the end of a rod would move one node and leave the next at rest, since
//! masses hold each other only by springs there: an element would have to stretch by the whole velocity.
//!
//! With `A` the rows of `B` and `J`, each divided by the square root of its `a M^-1 a^T`, and `r` the
//! right sides, this is the method of multipliers
//!
//! ```text
//! | M  A^T   | | w |   |    0      |
//! | A  -tau  | | y | = | r - tau y_k |         again with y_k = y, until A w = r
//! ```
//!
//! The matrix is quasi-definite: it is regular and can be eliminated in any order, also where rows repeat
//! each other or are given, so that nothing need be known about ranks, and block by block in linear time.
//! Strain rates need not vanish where velocities are given: after some steps their multipliers stay,
//! and the constraints alone are iterated. What is left of the strain rates is then small in the sense of
//! least squares, a jump that cannot be avoided is spread over the rods.

use super::GenericSystem;
use super::assembly::Element;
use super::constraint::Row;
use crate::error::Fault;
use crate::linear::{LinearMethod, LinearSystem};
use crate::state::State;
use crate::system::{Constrained, Mechanics};
use nalgebra::Vector6;

/// `tau`. The error falls by it over the eigenvalues of `A M^-1 A^T`, which are small for a rod of many
/// elements; with the first one what can be fulfilled is, and after a few steps. Where something cannot,
/// multipliers grow by its inverse in each step, and the second one leaves them their digits.
const TAUS: [f64; 2] = [1e-11, 1e-6];

/// Most steps with all rows, and most with the constraints.
const MOST_STEPS: usize = 40;

/// Against the largest right side.
const TOLERANCE: f64 = 1e-12;

/// A row of `A` with its right side.
struct Held {
    element: Element,
    row: Row,
    right: f64,
    multiplier: f64,
    /// A constraint, not a strain rate.
    exact: bool,
}

/// Steps of the method of multipliers in which those of some rows change, until these rows are fulfilled;
/// whether they are.
fn iterate(
    matrix: &mut LinearSystem,
    tau: f64,
    held: &mut [Held],
    x: &mut [f64],
    changes: impl Fn(&Held) -> bool,
) -> bool {
    let motions = x.len() - held.len();
    let largest = held.iter().fold(0.0_f64, |m, held| m.max(held.right.abs()));
    for _ in 0..MOST_STEPS {
        let (motion, multipliers) = x.split_at_mut(motions);
        motion.fill(0.0);
        for (x, held) in multipliers.iter_mut().zip(&*held) {
            *x = held.right - tau * held.multiplier;
        }
        matrix.solve(x);
        // A w - r = tau (y - y_k)
        let mut error = 0.0_f64;
        for (y, held) in x[motions..].iter().zip(&mut *held) {
            if changes(held) {
                error = error.max(tau * (y - held.multiplier).abs());
                held.multiplier = *y;
            }
        }
        if error <= TOLERANCE * largest {
            return true;
        }
    }
    false
}

impl GenericSystem {
    /// Changes the velocities of a state that are not `given` until the constraints are fulfilled
    /// and the rods rigid.
    ///
    /// # Errors
    /// If the constraints cannot be evaluated.
    pub(crate) fn follow(&self, state: &mut State<Self>, given: &[bool]) -> Result<(), Fault> {
        let mut held = self.held(state)?;
        let mut x = vec![0.0; self.space.dof() + held.len()];
        for tau in TAUS {
            let mut matrix = self.following_matrix(&held, given, tau);
            matrix
                .factor()
                .map_err(|singular| self.singular_newton(&singular))?;
            for held in &mut held {
                held.multiplier = 0.0;
            }
            if iterate(&mut matrix, tau, &mut held, &mut x, |_| true) {
                break;
            }
            // Rods are as rigid as they can be; now the constraints alone.
            iterate(&mut matrix, tau, &mut held, &mut x, |held| held.exact);
        }
        for (v, w) in state.v.iter_mut().zip(&x) {
            *v += w;
        }
        Ok(())
    }

    /// The constraints and the strain rates, each divided by its weight.
    fn held(&self, state: &State<Self>) -> Result<Vec<Held>, Fault> {
        let mut geometry = self.new_geometry();
        self.geometry(state.t, &state.q, &mut geometry)?;
        let mut rate = self.new_multiplier();
        self.constraint_rate(state.t, &geometry, &mut rate);
        let mut list = Vec::new();
        let mut hold = |element: Element, row: &Row, rate: f64, exact| {
            let weight = self.inverse_mass(element, row).sqrt();
            if weight > 0.0 {
                list.push(Held {
                    element,
                    row: row / weight,
                    right: -(self.pair_dot(element, row, &state.v) + rate) / weight,
                    multiplier: 0.0,
                    exact,
                });
            }
        };
        for (element, rows) in self.holders() {
            for i in rows {
                hold(element, &geometry.rows[i], rate[i], true);
            }
        }
        for (rod, strain) in self.rods.iter().zip(&geometry.strains) {
            let rates = strain.rates();
            for i in 0..6 {
                let row = rod.to_bodies(&rates.row(i).transpose());
                let row = self.row_to_group(rod.element, &geometry.poses, &row);
                hold(rod.element, &row, 0.0, false);
            }
        }
        Ok(list)
    }

    /// `a M^-1 a^T`.
    fn inverse_mass(&self, element: Element, row: &Row) -> f64 {
        let mut sum = 0.0;
        for (slot, part) in element.sides() {
            let body = &self.bodies[part.body];
            let from = &row.as_slice()[slot..slot + body.dof()];
            let mut to = Vector6::zeros();
            body.mass_solve(from, &mut to.as_mut_slice()[..body.dof()]);
            sum += from.iter().zip(&to).map(|(x, y)| x * y).sum::<f64>();
        }
        sum
    }

    /// The matrix, without rows and columns of what is given.
    fn following_matrix(&self, held: &[Held], given: &[bool], tau: f64) -> LinearSystem {
        let nv = self.space.dof();
        // Velocities belong to their bodies, multipliers to the bodies that they hold.
        let mut vertices = Vec::with_capacity(nv + held.len());
        for (body, data) in (0_u32..).zip(&self.bodies) {
            vertices.extend(data.velocity.clone().map(|_| [body; 2]));
        }
        vertices.extend(held.iter().map(|held| {
            #[expect(clippy::cast_possible_truncation, reason = "fewer than 2^32 bodies")]
            let mut bodies = held.element.sides().map(|(_, part)| part.body as u32);
            let a = bodies.next().unwrap_or(0);
            [a, bodies.next().unwrap_or(a)]
        }));
        let of = |unknown: usize| vertices[unknown];
        let mut matrix = LinearSystem::grouped(vertices.len(), LinearMethod::Fronts, of);
        matrix.begin();
        for body in &self.bodies {
            let range = body.velocity.clone();
            for (i, row) in range.clone().enumerate() {
                for (j, column) in range.clone().enumerate() {
                    let entry = match (row == column, given[row] || given[column]) {
                        (_, false) => body.mass_entry(i, j),
                        (true, true) => 1.0,
                        (false, true) => 0.0,
                    };
                    matrix.add(row, column, entry);
                }
            }
        }
        for (place, held) in (nv..).zip(held) {
            matrix.add(place, place, -tau);
            for (slot, part) in held.element.sides() {
                for (column, entry) in part.places(&self.bodies).zip(&held.row.as_slice()[slot..]) {
                    if !given[column] {
                        matrix.add(place, column, *entry);
                        matrix.add(column, place, *entry);
                    }
                }
            }
        }
        matrix
    }
}
