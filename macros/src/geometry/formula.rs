//! Formulas of the user as scalars.

use super::{Geometry, Scalar, Vector};
use crate::formula::{BodyQuantity, Formula, Formula3, JointQuantity, Leaf, Operation};
use crate::model::BodyId;

impl Geometry<'_> {
    /// The scalar of a formula. What is known when the model is constructed is an expression
    /// over the array `p`: parameters, then constants outside of the model.
    pub(crate) fn formula(&mut self, formula: &Formula) -> Scalar {
        match formula {
            Formula::Number(x) => self.constant_number(*x),
            Formula::Leaf(leaf) => self.leaf(*leaf),
            Formula::Neg(a) => {
                let (minus, a) = (self.constant_number(-1.0), self.formula(a));
                self.product(minus, a)
            }
            Formula::Binary(operation, a, b) => {
                let (a, b) = (self.formula(a), self.formula(b));
                let one = self.constant_number(1.0);
                match operation {
                    Operation::Add => self.sum(vec![(one, a), (one, b)]),
                    Operation::Sub => {
                        let minus = self.constant_number(-1.0);
                        self.sum(vec![(one, a), (minus, b)])
                    }
                    Operation::Mul => self.product(a, b),
                    Operation::Div => self.quotient(a, b),
                    Operation::Atan2 => self.atan2(a, b),
                }
            }
            Formula::Call(function, a) => {
                let a = self.formula(a);
                self.call(*function, a)
            }
            Formula::Select(parts) => {
                let parts = core::array::from_fn(|i| self.formula(&parts[i]));
                self.select(parts)
            }
        }
    }

    /// A vector with components that are known when the model is constructed, or depend on time.
    pub(crate) fn fixed_formulas(&mut self, components: &Formula3) -> Vector {
        let components = core::array::from_fn(|i| {
            let component = self.formula(&components[i]);
            self.lower_scalar(component)
        });
        self.fixed(components)
    }

    /// A vector with any components.
    pub(crate) fn formulas(&mut self, components: &Formula3) -> Vector {
        let terms = components
            .iter()
            .zip([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
            .map(|(component, axis)| (self.formula(component), self.constant(axis)))
            .collect();
        self.combination(terms)
    }

    fn leaf(&mut self, leaf: Leaf) -> Scalar {
        match leaf {
            Leaf::Parameter(place) => {
                let value = self.graph.input("p", place);
                self.number(value)
            }
            Leaf::Outside(place) => {
                let value = self.graph.input("p", self.model.parameters.len() + place);
                self.number(value)
            }
            Leaf::Time => {
                let value = self.graph.number("t");
                self.number(value)
            }
            Leaf::Body(body, quantity, component) if self.model.body(body).modes().is_some() => {
                let mode = self.mode(body, component);
                match quantity {
                    BodyQuantity::Position => mode,
                    BodyQuantity::Velocity | BodyQuantity::AngularVelocity => {
                        let motion = self.motion("v");
                        self.scalar_derivative(mode, &motion)
                    }
                }
            }
            Leaf::Body(body, quantity, axis) => {
                let vector = self.body_quantity(body, quantity);
                let unit = core::array::from_fn(|i| f64::from(u8::from(i == axis)));
                let unit = self.constant(unit);
                self.dot(unit, vector)
            }
            Leaf::Joint(joint, quantity) => {
                let motion = self.motion("v");
                let held = self.model.joint(joint);
                match quantity {
                    JointQuantity::Angle => self.angle(joint),
                    JointQuantity::AngleRate => self.rate_about_axis(held, &motion),
                    JointQuantity::Displacement => self.displacement(held),
                    JointQuantity::DisplacementRate => {
                        let coordinate = self.displacement(held);
                        self.scalar_derivative(coordinate, &motion)
                    }
                }
            }
        }
    }

    fn body_quantity(&mut self, body: BodyId, quantity: BodyQuantity) -> Vector {
        let motion = self.motion("v");
        match quantity {
            BodyQuantity::Position => self.position(Some(body)),
            BodyQuantity::Velocity => {
                let position = self.position(Some(body));
                self.vector_derivative(position, &motion)
            }
            BodyQuantity::AngularVelocity => motion.bodies[&body].0,
        }
    }
}
