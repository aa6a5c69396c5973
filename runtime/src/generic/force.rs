//! Applied forces: what each kind adds to `g`, `K`, `D` and the energy.

use super::GenericSystem;
use super::assembly::{Element, Part, Snapshot};
use super::bushing::Bushing;
use super::constraint::{Pose, Row};
use super::effort::Effort;
use super::load::Load;
use super::modal::{ModalLoad, ModalSpring};
use super::spring::Spring;
use crate::real::Real;
use nalgebra::Matrix6;

/// A force with resolved names.
#[derive(Clone, Debug)]
pub(super) enum ForceData {
    Spring(Spring),
    Bushing(Box<Bushing>),
    Load(Box<Load>),
    Effort(Box<Effort>),
    ModalSpring(ModalSpring),
    ModalLoad(ModalLoad),
}

impl GenericSystem {
    /// Adds the forces to `g`.
    pub(super) fn add_forces<R: Real>(&self, at: &Snapshot<'_, R>, out: &mut [R]) {
        for force in &self.forces {
            self.add_force(force, at, out);
        }
    }

    /// Place of the first force that is not finite.
    pub(super) fn find_not_finite(&self, at: &Snapshot<'_>) -> Option<usize> {
        self.forces.iter().position(|force| {
            let mut out = vec![0.0; self.space.dof()];
            self.add_force(force, at, &mut out);
            out.iter().any(|x| !x.is_finite())
        })
    }

    fn add_force<R: Real>(&self, force: &ForceData, at: &Snapshot<'_, R>, out: &mut [R]) {
        let (element, row) = match force {
            ForceData::Spring(spring) => {
                let element = spring.element();
                let twist = self.pair_twist(element, at.poses, at.v);
                (element, spring.force(&at.relative(element), &twist))
            }
            ForceData::Bushing(bushing) => {
                let element = bushing.element;
                let twist = self.pair_twist(element, at.poses, at.v);
                (element, bushing.force(&at.relative(element), &twist))
            }
            ForceData::Load(load) => return load.add(self, at, out),
            ForceData::Effort(effort) => return effort.add(self, at, out),
            ForceData::ModalSpring(spring) => return spring.add(self, at, out),
            ForceData::ModalLoad(load) => return load.add(self, at, out),
        };
        let row = self.row_to_group(element, at.poses, &row);
        self.add_pair(element, &row, R::one(), out);
    }

    /// Calls `sink` for the blocks of `K` and `D` of the forces.
    pub(super) fn each_force_tangent(
        &self,
        at: &Snapshot<'_>,
        sink: &mut impl FnMut(Part, Part, &Matrix6<f64>, &Matrix6<f64>),
    ) {
        for force in &self.forces {
            let (element, row, (k, d)) = match force {
                ForceData::Spring(spring) => {
                    let element = spring.element();
                    let (twist, relative) = (
                        self.pair_twist(element, at.poses, at.v),
                        at.relative(element),
                    );
                    let row = spring.force(&relative, &twist);
                    (element, row, spring.tangents(&relative, &twist))
                }
                ForceData::Bushing(bushing) => {
                    let element = bushing.element;
                    let (twist, relative) = (
                        self.pair_twist(element, at.poses, at.v),
                        at.relative(element),
                    );
                    let row = bushing.force(&relative, &twist);
                    (element, row, bushing.tangents(&relative, &twist))
                }
                ForceData::Load(load) => {
                    load.each_tangent(self, at, sink);
                    continue;
                }
                ForceData::Effort(effort) => {
                    effort.each_tangent(self, at, sink);
                    continue;
                }
                ForceData::ModalSpring(spring) => {
                    spring.each_tangent(sink);
                    continue;
                }
                ForceData::ModalLoad(load) => {
                    load.each_tangent(self, at, sink);
                    continue;
                }
            };
            self.element_tangents(element, at, &row, &k, &d, sink);
        }
    }

    /// Potential energy of the forces that have one.
    pub(super) fn force_energy(&self, poses: &[Pose], turns: &[f64], modes: &[f64]) -> f64 {
        let relative = |element: Element| super::relative_pose(poses, element);
        self.forces
            .iter()
            .map(|force| match force {
                ForceData::Spring(spring) => spring.energy(&relative(spring.element())),
                ForceData::Bushing(bushing) => bushing.energy(&relative(bushing.element)),
                ForceData::Load(load) => load.energy(poses),
                ForceData::Effort(effort) => effort.energy(self, poses, turns),
                ForceData::ModalSpring(spring) => spring.energy(self.modes_of(spring.body, modes)),
                ForceData::ModalLoad(load) => load.energy(self.modes_of(load.body, modes)),
            })
            .sum()
    }
}

/// Calls `sink` for the blocks of `row^T by_q` and `row^T by_v`, all in group coordinates.
pub(super) fn outer(
    (element, row): (Element, &Row),
    (other, by_q, by_v): (Element, &Row, &Row),
    sink: &mut impl FnMut(Part, Part, &Matrix6<f64>, &Matrix6<f64>),
) {
    for (at, i) in element.sides() {
        let row = row.fixed_rows::<6>(at);
        for (at, j) in other.sides() {
            let k = row * by_q.fixed_rows::<6>(at).transpose();
            let d = row * by_v.fixed_rows::<6>(at).transpose();
            sink(i, j, &k, &d);
        }
    }
}
