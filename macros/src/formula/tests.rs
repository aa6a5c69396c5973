use super::{
    BodyQuantity, Elementary, Formula, JointQuantity, Leaf, Operation, fixed3, rotate3, sub3,
};
use crate::model::{BodyId, JointId};

fn number(x: f64) -> Formula {
    Formula::Number(x)
}

fn time() -> Formula {
    Formula::Leaf(Leaf::Time)
}

/// Time is 2, everything else is not known.
fn at_two(formula: &Formula) -> Option<f64> {
    formula.evaluate(&|leaf| (leaf == Leaf::Time).then_some(2.0))
}

#[test]
fn what_is_known_is_folded() {
    let (six, three) = (number(6.0), number(3.0));
    let check = |formula: Formula, expected: f64| assert_eq!(formula, number(expected));
    check(six.add(&three), 9.0);
    check(six.sub(&three), 3.0);
    check(six.mul(&three), 18.0);
    check(six.div(&three), 2.0);
    check(six.neg(), -6.0);
    check(Formula::call(Elementary::Sqrt, &number(9.0)), 3.0);
    check(
        Formula::binary(Operation::Atan2, &number(1.0), &number(0.0)),
        1.0_f64.atan2(0.0),
    );
    check(
        Formula::select([three.clone(), six.clone(), number(1.0), number(2.0)]),
        1.0,
    );
    check(
        Formula::select([six.clone(), six.clone(), number(1.0), number(2.0)]),
        2.0,
    );
    check(time().mul(&number(0.0)), 0.0);
    check(number(0.0).mul(&time()), 0.0);
    check(number(0.0).div(&time()), 0.0);
    assert!(number(0.0).is_zero() && !six.is_zero() && !time().is_zero());
}

#[test]
fn zeros_and_ones_vanish() {
    let (zero, one) = (number(0.0), number(1.0));
    let same = |formula: Formula| assert_eq!(formula, time());
    same(time().add(&zero));
    same(zero.add(&time()));
    same(time().sub(&zero));
    same(one.mul(&time()));
    same(time().mul(&one));
    same(time().div(&one));
    same(time().neg().neg());
    assert_eq!(zero.sub(&time()), time().neg());
    // These are not the formula itself.
    for other in [one.sub(&time()), one.div(&time()), zero.sub(&time())] {
        assert_ne!(other, time());
        assert_eq!(other.value(), None);
    }
}

#[test]
fn formulas_have_values_where_their_leaves_do() {
    let t = time();
    let check = |formula: &Formula, expected: f64| assert_eq!(at_two(formula), Some(expected));
    check(&t.mul(&t).sub(&number(1.0)), 3.0);
    check(&number(1.0).div(&t).neg(), -0.5);
    check(&Formula::call(Elementary::Exp, &t), 2.0_f64.exp());
    check(
        &Formula::binary(Operation::Atan2, &t, &number(-2.0)),
        0.75 * std::f64::consts::PI,
    );
    let choice = |bound| Formula::select([t.clone(), number(bound), number(5.0), t.neg()]);
    check(&choice(2.5), 5.0);
    check(&choice(2.0), -2.0);
    let parameter = Formula::Leaf(Leaf::Parameter(0));
    assert_eq!(at_two(&t.add(&parameter)), None);
    // A branch that is not taken need not have a value.
    let spared = Formula::select([t.clone(), number(9.0), number(1.0), parameter]);
    assert_eq!(at_two(&spared), Some(1.0));
}

#[test]
fn time_can_be_zero() {
    let t = time();
    let cosine = Formula::call(Elementary::Cos, &t);
    assert_eq!(cosine.add(&t.neg()).at_time_zero(), number(1.0));
    let choice = Formula::select([t.clone(), number(1.0), t.clone(), number(4.0)]);
    assert_eq!(choice.at_time_zero(), number(0.0));
    // Other leaves stay.
    let parameter = Formula::Leaf(Leaf::Parameter(1));
    assert_eq!(t.add(&parameter).at_time_zero(), parameter);
    let nearest = Formula::binary(Operation::Atan2, &t, &parameter);
    let expected = Formula::binary(Operation::Atan2, &number(0.0), &parameter);
    assert_eq!(nearest.at_time_zero(), expected);
}

#[test]
fn every_leaf_is_visited() {
    let all = [
        Leaf::Parameter(3),
        Leaf::Outside(1),
        Leaf::Time,
        Leaf::Body(BodyId(2), BodyQuantity::Velocity, 1),
        Leaf::Joint(JointId(0), JointQuantity::Angle),
    ];
    let [a, b, c, d, e] = all.map(Formula::Leaf);
    let choice = Formula::select([a, b.neg(), Formula::call(Elementary::Tanh, &c), d]);
    let mut found = Vec::new();
    choice.mul(&e).leaves(&mut |leaf| found.push(leaf));
    assert_eq!(found, all);
}

#[test]
fn functions_have_their_names() {
    for (name, function) in Elementary::NAMED {
        assert_eq!(function.name(), name);
    }
    assert_eq!(Elementary::Asin.value(0.5), std::f64::consts::FRAC_PI_6);
    assert_eq!(Elementary::Abs.value(-2.0), 2.0);
    assert_eq!(Elementary::Tan.value(0.25), 0.25_f64.sin() / 0.25_f64.cos());
}

#[test]
fn vectors_of_formulas() {
    let rows = [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]];
    let vector = [number(1.0), time(), number(3.0)];
    let turned = rotate3(&rows, &vector);
    assert_eq!(
        turned.each_ref().map(at_two),
        [Some(-2.0), Some(1.0), Some(3.0)]
    );
    let apart = sub3(&vector, &fixed3([1.0, 0.5, 1.0]));
    assert_eq!(
        apart.each_ref().map(at_two),
        [Some(0.0), Some(1.5), Some(2.0)]
    );
}
