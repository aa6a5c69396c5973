//! Formulas of time alone, for loads that are prescribed.
//!
//! Where a formula changes its branch, `if l < r { .. }`, or its sign, `abs(x)`, its derivatives
//! jump: a step should end there. Such a time is known if what is compared is a straight line
//! of `t`, which is how ramps and pulses are written.

use super::formula::{Formula, Function};
use super::scalar::{Tree, Unresolved};

/// A formula of time with its kinks. Evaluation does not allocate.
#[derive(Clone, Debug, PartialEq)]
pub struct TimeFormula {
    formula: Formula,
    tree: Tree,
    kinks: Vec<f64>,
}

impl TimeFormula {
    /// The formula; nothing if it reads a body or a joint.
    pub fn new(formula: &Formula) -> Option<Self> {
        let tree = Tree::new(formula, &mut |_| Err(Unresolved)).ok()?;
        let mut kinks = Vec::new();
        collect(formula, &mut kinks);
        kinks.sort_by(f64::total_cmp);
        kinks.dedup();
        let formula = formula.clone();
        Some(Self {
            formula,
            tree,
            kinks,
        })
    }

    /// The formula as data.
    pub fn formula(&self) -> &Formula {
        &self.formula
    }

    /// The value at a time.
    pub fn at(&self, t: f64) -> f64 {
        self.tree.evaluate(t, &|_| f64::NAN)
    }

    /// The times at which a branch changes, as far as they are roots of straight lines.
    pub fn kinks(&self) -> &[f64] {
        &self.kinks
    }
}

/// Adds the times at which a formula, of time or of more, changes a branch that is a straight line.
pub(super) fn collect(formula: &Formula, kinks: &mut Vec<f64>) {
    let crossing = match formula {
        Formula::Select { left, right, .. } => match (line(left), line(right)) {
            (Some((a, b)), Some((c, d))) => Some((a - c, b - d)),
            _ => None,
        },
        Formula::Call(Function::Abs, x) => line(x),
        _ => None,
    };
    if let Some((value, slope)) = crossing
        && slope != 0.0
    {
        kinks.push(-value / slope);
    }
    for operand in formula.operands() {
        collect(operand, kinks);
    }
}

/// `(a, b)` if the formula is `a + b t`.
fn line(formula: &Formula) -> Option<(f64, f64)> {
    Some(match formula {
        Formula::Number(a) => (*a, 0.0),
        Formula::Time => (0.0, 1.0),
        Formula::Neg(x) => {
            let (a, b) = line(x)?;
            (-a, -b)
        }
        Formula::Add(x, y) => {
            let ((a, b), (c, d)) = (line(x)?, line(y)?);
            (a + c, b + d)
        }
        Formula::Sub(x, y) => {
            let ((a, b), (c, d)) = (line(x)?, line(y)?);
            (a - c, b - d)
        }
        Formula::Mul(x, y) => match (line(x)?, line(y)?) {
            ((a, 0.0), (c, d)) | ((c, d), (a, 0.0)) => (a * c, a * d),
            _ => return None,
        },
        Formula::Div(x, y) => match (line(x)?, line(y)?) {
            ((a, b), (c, 0.0)) => (a / c, b / c),
            _ => return None,
        },
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn boxed(x: impl Into<Formula>) -> Box<Formula> {
        Box::new(x.into())
    }

    /// `if 2 t < 5 { 80 t } else { abs(t - 5) }`.
    #[test]
    fn kinks_of_a_ramp() {
        let formula = Formula::Select {
            left: boxed(Formula::Mul(boxed(2.0), boxed(Formula::Time))),
            right: boxed(5.0),
            below: boxed(Formula::Mul(boxed(80.0), boxed(Formula::Time))),
            otherwise: boxed(Formula::Call(
                Function::Abs,
                boxed(Formula::Sub(boxed(Formula::Time), boxed(5.0))),
            )),
        };
        let ramp = TimeFormula::new(&formula).unwrap();
        assert_eq!(ramp.kinks(), [2.5, 5.0]);
        assert_eq!([ramp.at(1.0), ramp.at(3.0), ramp.at(6.0)], [80.0, 2.0, 1.0]);
    }

    /// What is not a straight line has no known kink, and a body is not time.
    #[test]
    fn no_kinks_without_lines() {
        let sine = Formula::Call(Function::Sin, boxed(Formula::Time));
        let formula = Formula::Select {
            left: boxed(sine),
            right: boxed(0.0),
            below: boxed(1.0),
            otherwise: boxed(2.0),
        };
        assert!(TimeFormula::new(&formula).unwrap().kinks().is_empty());
        let body = Formula::Body {
            body: "top".to_owned(),
            quantity: super::super::formula::BodyQuantity::Position,
            axis: 0,
        };
        assert!(TimeFormula::new(&body).is_none());
    }
}
