//! Which kernels a model gets.

use crate::example::model;
use crate::mechanics::Mechanics;
use crate::model::Model;
use crate::plan::{COUPLED, Plan, SMALL, UNROLLED};

/// Points without joints, and `rods` of them held by rods.
fn cloud(points: usize, rods: usize) -> Model {
    use std::fmt::Write;
    let mut fields = String::new();
    for i in 0..points {
        let _ = write!(
            fields,
            "#[body(mass = 1, free)] #[start(position = x)] p{i}: Body<R3>,"
        );
    }
    for i in 0..rods {
        let _ = write!(fields, "#[joint(ground, p{i}, length = 1)] j{i}: Distance,");
    }
    model("", &fields)
}

#[test]
fn models_are_small_up_to_a_number_of_unknowns() {
    let is_small = |model: &Model| {
        let plan = Plan::new(&mut Mechanics::new(model));
        let small = plan.fused.is_some();
        assert_eq!(plan.large.is_none(), small);
        assert_eq!(plan.schur_solve.is_some(), small);
        let formulations = if model.joints.is_empty() { 1 } else { 3 };
        let matrices = if small { 2 * formulations } else { 0 };
        assert_eq!(plan.newton.len(), matrices);
        small
    };
    assert_eq!(SMALL, 16);
    assert!(is_small(&cloud(5, 1)));
    assert!(!is_small(&cloud(5, 2)));
    let modes = |n: usize| {
        let row = |i: usize| {
            let entry = |j: usize| if i == j { "2" } else { "0.01" };
            let entries: Vec<&str> = (0..n).map(entry).collect();
            format!("[{}]", entries.join(", "))
        };
        let rows: Vec<String> = (0..n).map(row).collect();
        model(
            "",
            &format!("#[body(mass = [{}], free)] m: Body<R{n}>,", rows.join(", ")),
        )
    };
    assert!(is_small(&modes(COUPLED)));
    assert!(!is_small(&modes(COUPLED + 1)));
}

#[test]
fn eliminations_are_written_out_up_to_a_number_of_unknowns() {
    let forms = |model: &Model| -> Vec<&'static str> {
        let plan = Plan::new(&mut Mechanics::new(model));
        plan.eliminations()
            .map(|newton| newton.formulation)
            .collect()
    };
    assert_eq!(UNROLLED, [72, 40, 40]);
    assert_eq!(
        forms(&cloud(13, 1)),
        ["Index3", "Index2", "StabilizedIndex2"]
    );
    assert_eq!(forms(&cloud(13, 2)), ["Index3"]);
    assert_eq!(forms(&cloud(24, 0)), ["Index3"]);
    assert_eq!(forms(&cloud(24, 1)), [""; 0]);
}

#[test]
fn redundant_constraints_are_not_eliminated_in_a_fixed_order() {
    let model = model(
        "redundant = \"allow\"",
        "#[body(mass = 1)] #[start(position = x)] a: Body<R3>,
         #[joint(ground, a, length = 1)] i: Distance, #[joint(ground, a, length = 1)] j: Distance,",
    );
    let plan = Plan::new(&mut Mechanics::new(&model));
    assert!(plan.fused.is_none() && plan.stage_solve.is_none() && plan.schur_solve.is_none());
    assert_eq!(plan.eliminations().count(), 0);
    let large = plan.large.expect("entries");
    assert!(!large.entries.is_empty());
}
