//! A tree as a [`Description`]: the same mechanics for the generic system; its joints for outputs.
//!
//! | tree                    | description                                             |
//! |-------------------------|---------------------------------------------------------|
//! | node, body              | body; node `i` of a rod is `name.i`, see `factor_name`  |
//! | element `i` of a rod    | rod element `name.i`                                    |
//! | clamped node            | frame of the ground                                     |
//! | joint                   | joint, with positions in inertial axes                  |
//! | load                    | load; its profile becomes a formula of time             |
//!
//! Multipliers have another order: first the joints, then the rods. The generic
//! system counts the potential of constant forces as energy, a tree does not.

use super::builder::name_at;
use super::edge::{Edge, EdgeKind, End};
use super::invalid::InvalidTree;
use super::load::{LoadFrame, NodeLoad, Profile};
use super::node::Node;
use super::tree::Tree;
use crate::generic::description::{
    self, Attachment, Body, Description, Force, ForceKind, Formula, GROUND, InternalConstraint,
    PositionAxes, RodElement, Start, identity_axes,
};
use crate::joints::{self, JointFrame};
use crate::lie::{Rotation, S3};
use crate::system::Bodies;
use nalgebra::{Matrix3, Vector3};

impl Tree {
    /// The tree as data for a [`GenericSystem`](crate::generic::GenericSystem), which assembles
    /// the same equations without knowing that they belong to a tree.
    ///
    /// # Errors
    /// [`InvalidTree::NotData`] if a load has a profile that is a function of Rust.
    pub fn description(&self) -> Result<Description, InvalidTree> {
        let nodes = self.nodes.iter().enumerate();
        let mut out = Description {
            name: "tree".to_owned(),
            gravity: self.gravity.into(),
            bodies: nodes.map(|(i, node)| self.body(i, node)).collect(),
            positions: PositionAxes::Inertial,
            ..Description::default()
        };
        for (index, edge) in self.edges.iter().enumerate() {
            let (name, element) = name_at(&self.edge_names, index);
            match edge.kind {
                EdgeKind::Rod { element: kind, .. } => {
                    let name = format!("{name}.{element}");
                    out.rods.push(self.rod_element(name, kind, edge));
                }
                EdgeKind::Joint(joint) => {
                    let joint = &self.joints[joint];
                    let ([a, b], [first, second]) = (joint.points(), joint.frames);
                    out.joints.push(description::Joint {
                        name: name.to_owned(),
                        kind: joint.kind.clone(),
                        first: self.attachment(edge.ends[0], &a, &first),
                        second: self.attachment(edge.ends[1], &b, &second),
                    });
                }
            }
        }
        for (index, load) in self.loads.iter().enumerate() {
            self.add_load(index, load, &mut out.forces)?;
        }
        Ok(out)
    }

    fn body(&self, index: usize, node: &Node) -> Body {
        let (q, v) = (&self.start.0, &self.start.1);
        let q = &q[self.config_starts[index]..];
        let pose = node.pose(q);
        let rotation = match node.quaternion(q) {
            Some(own) => own,
            None => S3::from_matrix(&pose.rotation),
        };
        let v = &v[6 * index..6 * index + 6];
        let velocity = Vector3::new(v[3], v[4], v[5]);
        let velocity = if node.is_direct() {
            velocity
        } else {
            pose.rotation * velocity
        };
        let [x, y, z] = rotation.vector.into();
        Body {
            name: self.factor_name(index),
            group: node.kind,
            mass: node.mass,
            inertia: core::array::from_fn(|i| core::array::from_fn(|j| node.inertia[(i, j)])),
            center: node.center.into(),
            start: Start {
                position: pose.position.as_slice().to_vec(),
                rotation: [rotation.scalar, x, y, z],
                velocity: velocity.as_slice().to_vec(),
                angular_velocity: [v[0], v[1], v[2]],
            },
        }
    }

    fn rod_element(&self, name: String, kind: usize, edge: &Edge) -> RodElement {
        let element = &self.elements[kind];
        let end = |end| self.attachment(end, &Vector3::zeros(), &identity_axes());
        RodElement {
            name,
            first: end(edge.ends[0]),
            second: end(edge.ends[1]),
            length: element.length,
            reference: element.reference.into(),
            stiffness: element.stiffness.into(),
            damping: element.damping.into(),
            constraint: match element.held {
                0 => InternalConstraint::Cosserat,
                2 => InternalConstraint::Kirchhoff,
                _ => InternalConstraint::Inextensible,
            },
        }
    }

    /// The joints, with names as in the description.
    pub(super) fn joint_frames(&self) -> Vec<JointFrame> {
        let edges = self.edges.iter().enumerate();
        let joints = edges.filter_map(|(index, edge)| match edge.kind {
            EdgeKind::Rod { .. } => None,
            EdgeKind::Joint(joint) => Some((index, edge, &self.joints[joint])),
        });
        let frames = joints.map(|(index, edge, joint)| {
            let ([a, b], [first, second]) = (joint.points(), joint.frames);
            JointFrame {
                name: name_at(&self.edge_names, index).0.to_owned(),
                kind: joint.kind.clone(),
                positions: PositionAxes::Inertial,
                first: self.place(edge.ends[0], &a, &first),
                second: self.place(edge.ends[1], &b, &second),
                rows: edge.first_row..edge.first_row + edge.rows,
                angle: None,
            }
        });
        frames.collect()
    }

    /// A frame of an end, of the ground where the end does not move.
    fn place(&self, end: End, point: &Vector3<f64>, axes: &[[f64; 3]; 3]) -> joints::Place {
        match end {
            End::Node(node) => joints::Place {
                body: Some(node),
                point: (*point).into(),
                axes: *axes,
            },
            End::Fixed(fixed) => {
                let pose = &self.fixed[fixed].pose;
                // One axis per row: those of the anchor, turned with the place.
                let rows = Matrix3::from_fn(|i, j| axes[i][j]) * pose.rotation.transpose();
                joints::Place {
                    body: None,
                    point: (pose.position + pose.rotation * point).into(),
                    axes: core::array::from_fn(|i| core::array::from_fn(|j| rows[(i, j)])),
                }
            }
        }
    }

    /// The same with the name of the body.
    fn attachment(&self, end: End, point: &Vector3<f64>, axes: &[[f64; 3]; 3]) -> Attachment {
        let joints::Place { body, point, axes } = self.place(end, point, axes);
        let body = body.map_or_else(|| GROUND.to_owned(), |node| self.factor_name(node));
        Attachment { body, point, axes }
    }

    fn add_load(
        &self,
        index: usize,
        load: &NodeLoad,
        out: &mut Vec<Force>,
    ) -> Result<(), InvalidTree> {
        let name = format!("load {index}");
        let Some(factor) = formula(&load.load.profile) else {
            return Err(InvalidTree::NotData { item: name });
        };
        for (place, &(node, weight)) in load.nodes.iter().enumerate() {
            let component = |x: f64| match &factor {
                Formula::Number(factor) => Formula::Number(x * weight * factor),
                factor => Formula::Mul(
                    Box::new(Formula::Number(x * weight)),
                    Box::new(factor.clone()),
                ),
            };
            out.push(Force {
                name: format!("{name}.{place}"),
                kind: ForceKind::Load {
                    at: Attachment::at(&self.factor_name(node), load.point.into()),
                    force: load.load.force.map(component),
                    torque: load.load.moment.map(component),
                    frame: match load.load.frame {
                        LoadFrame::Inertial => description::LoadFrame::World,
                        LoadFrame::Body => description::LoadFrame::Body,
                    },
                },
            });
        }
        Ok(())
    }
}

/// A profile as a formula; nothing if it is a function of Rust.
fn formula(profile: &Profile) -> Option<Formula> {
    match profile {
        Profile::Constant => Some(Formula::Number(1.0)),
        Profile::Function(_) => None,
        Profile::Formula(formula) => Some(formula.formula().clone()),
        Profile::PiecewiseLinear(points) => Some(lines(points)),
    }
}

/// Straight lines through points, constant outside.
fn lines(points: &[(f64, f64)]) -> Formula {
    let (Some(&(first, before)), Some(&(last, after))) = (points.first(), points.last()) else {
        return Formula::Number(0.0);
    };
    let until_last = select(last, between(points), Formula::Number(after));
    select(first, Formula::Number(before), until_last)
}

/// The lines between points. Halves are told apart first, so that the formula is not deep.
fn between(points: &[(f64, f64)]) -> Formula {
    let number = |x: f64| Box::new(Formula::Number(x));
    match points {
        [] => Formula::Number(0.0),
        [(_, value)] => Formula::Number(*value),
        [(t0, f0), (t1, f1)] => {
            let elapsed = Formula::Sub(Box::new(Formula::Time), number(*t0));
            let part = Formula::Div(Box::new(elapsed), number(t1 - t0));
            let rise = Formula::Mul(number(f1 - f0), Box::new(part));
            Formula::Add(number(*f0), Box::new(rise))
        }
        _ => {
            let middle = points.len() / 2;
            let (earlier, later) = (&points[..=middle], &points[middle..]);
            select(points[middle].0, between(earlier), between(later))
        }
    }
}

/// `below` before a time, else `otherwise`.
fn select(time: f64, below: Formula, otherwise: Formula) -> Formula {
    Formula::Select {
        left: Box::new(Formula::Time),
        right: Box::new(Formula::Number(time)),
        below: Box::new(below),
        otherwise: Box::new(otherwise),
    }
}
