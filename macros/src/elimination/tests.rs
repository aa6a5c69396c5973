use super::order::{Entry, Pivots};
use super::{Elimination, Matrix, Sample, Step, entry};
use crate::example::{Values, close, dot, random};
use crate::expr::{Graph, Id};

/// A matrix of expressions with its numbers: entries of `a` by `kind` are inputs, numbers or
/// nothing.
struct Example {
    g: Graph,
    a: Matrix,
    values: Values,
    numbers: Sample,
    pivots: Pivots,
}

#[derive(Clone, Copy)]
enum Kind {
    Nothing,
    Number(f64),
    Input,
}

fn example(n: usize, kind: impl Fn(usize, usize) -> Kind) -> Example {
    let mut g = Graph::default();
    let inputs = random(21, n * n);
    // Large on the diagonal, so that every order will do.
    let size = |i: usize, j: usize| if i == j { 4.0 } else { 0.0 };
    let inputs: Vec<f64> = (0..n * n).map(|k| inputs[k] + size(k / n, k % n)).collect();
    let mut id = |i: usize, j: usize| match kind(i, j) {
        Kind::Nothing => g.zero(),
        Kind::Number(x) => g.constant(x),
        Kind::Input => g.input("a", n * i + j),
    };
    let a: Matrix = (0..n).map(|i| (0..n).map(|j| id(i, j)).collect()).collect();
    let mut values = Values::default();
    values.set("a", inputs);
    values.set("right", random(22, n));
    let numbers = a.iter().map(|row| values.at(&g, row)).collect();
    Example {
        g,
        a,
        values,
        numbers,
        pivots: Pivots::Anywhere,
    }
}

impl Example {
    fn definite(mut self) -> Self {
        self.pivots = Pivots::OnTheDiagonal;
        self
    }

    fn eliminated(&mut self) -> Elimination {
        let samples = [self.numbers.clone()];
        Elimination::with(&mut self.g, &self.a, &samples, self.pivots)
    }

    fn right(&mut self) -> Vec<Id> {
        (0..self.a.len())
            .map(|i| self.g.input("right", i))
            .collect()
    }

    /// Asserts that the solution solves the equations.
    fn solves(&mut self, what: &str) -> Elimination {
        let elimination = self.eliminated();
        let right = self.right();
        let x = elimination.substitute(&mut self.g, &right);
        let x = self.values.at(&self.g, &x);
        let product: Vec<f64> = self.numbers.iter().map(|row| dot(row, &x)).collect();
        close(&product, self.values.get("right"), 1e-13, what);
        elimination
    }
}

/// Arrow: the first row, the first column and the diagonal.
fn arrow(i: usize, j: usize) -> Kind {
    if i == j || i == 0 || j == 0 {
        Kind::Input
    } else {
        Kind::Nothing
    }
}

#[test]
fn solutions_solve_the_equations() {
    for n in 1..8 {
        example(n, |_, _| Kind::Input).solves(&format!("full, {n}"));
        example(n, |_, _| Kind::Input)
            .definite()
            .solves(&format!("definite, {n}"));
        example(n, arrow).solves(&format!("arrow, {n}"));
        example(n, |i, j| {
            if i == j {
                Kind::Number(2.0)
            } else {
                Kind::Input
            }
        })
        .solves(&format!("numbers on the diagonal, {n}"));
        example(n, |i, j| {
            if (i + 1) % n == j {
                Kind::Input
            } else {
                Kind::Nothing
            }
        })
        .solves(&format!("a permutation, {n}"));
    }
    // As in a Newton matrix: nothing on the diagonal of the last rows.
    let saddle = |i: usize, j: usize| match (i < 4, j < 4) {
        (true, true) if i == j => Kind::Input,
        (true, true) | (false, false) => Kind::Nothing,
        _ if i + j == 5 => Kind::Number(1.0),
        _ => Kind::Input,
    };
    example(6, saddle).solves("saddle");
}

/// The corner of an arrow is one of the last two pivots: then nothing is filled.
#[test]
fn an_arrow_is_not_filled() {
    let n = 8;
    let mut arrow = example(n, arrow);
    let elimination = arrow.solves("arrow");
    let corner = |step: &Step| (step.row, step.column) == (0, 0);
    let corner = elimination.steps.iter().position(corner);
    assert!(corner.is_some_and(|place| place + 2 >= n), "{corner:?}");
    let filled = elimination.factors.as_slice().concat();
    let filled = filled.iter().filter(|id| !arrow.g.is_zero(**id)).count();
    assert_eq!(filled, 3 * n - 2);
    let right = arrow.right();
    let x = elimination.substitute(&mut arrow.g, &right);
    // Of each row but that of the corner: quotient, factor, and product and difference for corner,
    // right side and solution, and the division by the pivot.
    assert_eq!(arrow.g.operations(&x), 9 * (n - 1) + 2);
}

/// Triangles are solved by substitution: a division and a product for each unknown, a product and
/// a difference for each entry off the diagonal.
#[test]
fn triangles_cost_no_more_than_substitution() {
    let n = 6;
    for upper in [false, true] {
        let mut triangle = example(n, |i, j| {
            if i == j || (i < j) == upper {
                Kind::Input
            } else {
                Kind::Nothing
            }
        });
        let elimination = triangle.solves("triangle");
        let right = triangle.right();
        let x = elimination.substitute(&mut triangle.g, &right);
        assert_eq!(triangle.g.operations(&x), 2 * n + n * (n - 1), "{upper}");
    }
}

/// Two equations by hand: `x = 2`, `x + y = 5`; nothing is left to compute.
#[test]
fn numbers_are_eliminated_when_the_macro_runs() {
    let mut g = Graph::default();
    let (zero, one) = (g.zero(), g.one());
    let a = vec![vec![one, zero], vec![one, one]];
    let sample = vec![vec![1.0, 0.0], vec![1.0, 1.0]];
    let elimination = Elimination::new(&mut g, &a, &[sample]);
    let right = [g.constant(2.0), g.constant(5.0)];
    let x = elimination.substitute(&mut g, &right);
    assert_eq!(
        x.iter().map(|x| g.value(*x)).collect::<Vec<_>>(),
        [Some(2.0), Some(3.0)]
    );
    assert!(elimination.growth.is_empty());
}

/// The last three unknowns are found together in definite matrices, if they are coupled and not
/// numbers.
#[test]
fn three_unknowns_are_found_together() {
    let full = |_: usize, _: usize| Kind::Input;
    let has_tail = |n: usize, kind: &dyn Fn(usize, usize) -> Kind| {
        let elimination = example(n, kind).definite().solves("tail");
        let steps = elimination.steps.len();
        assert_eq!(steps + if elimination.tail.is_some() { 3 } else { 0 }, n);
        elimination.tail.is_some()
    };
    assert!(!has_tail(2, &full));
    assert!(has_tail(3, &full));
    assert!(has_tail(5, &full));
    assert!(!has_tail(3, &arrow));
    let number = |i: usize, j: usize| {
        if i == j {
            Kind::Number(1.0)
        } else {
            Kind::Input
        }
    };
    assert!(!has_tail(3, &number));
    // Two divisions, by the first pivot and by the determinant.
    let mut three = example(3, full).definite();
    let elimination = three.eliminated();
    let right = three.right();
    let x = elimination.substitute(&mut three.g, &right);
    let mut text = String::new();
    let outputs = crate::render::kernel(&three.g, &x, &[], &mut text);
    text += &outputs.concat();
    assert_eq!(text.matches(" / ").count(), 2, "{text}");
}

#[test]
fn renamed_factors_give_the_same_solution() {
    for (what, n) in [("full", 5), ("arrow", 6)] {
        let kind = |i: usize, j: usize| {
            if what == "full" {
                Kind::Input
            } else {
                arrow(i, j)
            }
        };
        let mut example = example(n, kind);
        let mut elimination = example.eliminated();
        let mut factors = Vec::new();
        elimination.rename(&mut example.g, &mut |g, id| {
            factors.push(id);
            g.input("lu", factors.len() - 1)
        });
        let right = example.right();
        let x = elimination.substitute(&mut example.g, &right);
        // The solution reads nothing but factors and the right side.
        let allowed = example
            .g
            .depends_only(&|array| ["lu", "right"].contains(&array));
        assert!(x.iter().all(|id| allowed[id.index()]), "{what}");
        let lu = example.values.at(&example.g, &factors);
        let found = example.values.with("lu", lu).at(&example.g, &x);
        let product: Vec<f64> = example.numbers.iter().map(|row| dot(row, &found)).collect();
        close(&product, example.values.get("right"), 1e-13, what);
    }
}

/// `[[a, b], [c, d]]` with pivot `a`: the other pivot is `d - b c / a`.
#[test]
fn growth_shows_lost_pivots() {
    let mut two = example(2, |_, _| Kind::Input);
    two.values.set("a", vec![4.0, 1.0, 1.0, 4.0]);
    two.numbers = vec![vec![4.0, 1.0], vec![1.0, 4.0]];
    let growth = two.eliminated().growth;
    let largest = |a: [f64; 4]| {
        let values = two.values.with("a", a.into());
        let found = values.at(&two.g, &growth);
        found.iter().fold(0.0, |most: f64, x| most.max(x.abs()))
    };
    assert!(largest([4.0, 1.0, 1.0, 4.0]) < 1.0);
    // A pivot that is small, and one that cancels.
    assert!(largest([1e-9, 1.0, 1.0, 1e-9]) > 1e8);
    assert!(largest([1.0, 1.0, 1.0, 1.0 + 1e-9]) > 1e8);
}

/// The last pivot of three, and the determinant of a tail that vanishes.
#[test]
fn growth_shows_a_lost_tail() {
    let mut three = example(3, |_, _| Kind::Input).definite();
    let growth = three.eliminated().growth;
    let largest = |a: Vec<f64>| {
        let found = three.values.with("a", a).at(&three.g, &growth);
        found.iter().fold(0.0, |most: f64, x| most.max(x.abs()))
    };
    assert!(largest(three.values.get("a").to_vec()) < 2.0);
    // The third row is nearly the sum of the others.
    assert!(largest(vec![2.0, 1.0, 1.0, 1.0, 2.0, 1.0, 3.0, 3.0, 2.0 + 1e-9]) > 1e7);
}

/// In a matrix that is not definite a small pivot costs its digits once, not twice.
#[test]
fn a_small_pivot_costs_its_digits_once() {
    let mut three = example(3, |_, _| Kind::Input);
    let elimination = three.eliminated();
    let right = three.right();
    let x = elimination.substitute(&mut three.g, &right);
    let (row, column) = (elimination.steps[0].row, elimination.steps[0].column);
    three.numbers[row][column] = 1e-5;
    let values = three.values.with("a", three.numbers.concat());
    let x = values.at(&three.g, &x);
    let product: Vec<f64> = three.numbers.iter().map(|row| dot(row, &x)).collect();
    close(&product, three.values.get("right"), 1e-10, "small pivot");
}

#[test]
fn entries_are_zeros_units_numbers_or_expressions() {
    let mut g = Graph::default();
    let mut check = |x: f64, expected: Entry| {
        let id = g.constant(x);
        assert_eq!(entry(&g, id), expected, "{x}");
    };
    check(0.0, Entry::Zero);
    check(1.0, Entry::Unit);
    check(-1.0, Entry::Unit);
    check(2.0, Entry::Number);
    let input = g.input("a", 0);
    assert_eq!(entry(&g, input), Entry::Expression);
}

/// A pivot that vanishes in one sample is not taken before it is filled, whatever that costs.
#[test]
fn samples_decide_which_entries_may_be_pivots() {
    let n = 4;
    let mut arrow = example(n, arrow);
    let mut samples = vec![arrow.numbers.clone(); 2];
    samples[1][2][2] = 1e-9;
    let elimination = Elimination::new(&mut arrow.g, &arrow.a, &samples);
    let places: Vec<(usize, usize)> = elimination
        .steps
        .iter()
        .map(|s| (s.row, s.column))
        .collect();
    let place = |pivot: (usize, usize)| places.iter().position(|place| *place == pivot);
    assert!(
        place((2, 2)).is_none_or(|own| place((0, 0)) < Some(own)),
        "{places:?}"
    );
}
