//! Order conditions of the tableaux.

use super::Tableau;

/// A rooted tree: the trees above its root, sorted.
type Tree = Vec<usize>;

/// Rooted trees by their number of nodes, as places of the trees above the root.
struct Trees {
    nodes: Vec<usize>,
    above: Vec<Tree>,
}

impl Trees {
    /// All trees of at most so many nodes.
    fn new(most: usize) -> Self {
        let mut trees = Self {
            nodes: vec![1],
            above: vec![Vec::new()],
        };
        for count in 2..=most {
            let mut found = Vec::new();
            trees.grow(count - 1, trees.nodes.len(), &mut Vec::new(), &mut found);
            trees.nodes.extend(found.iter().map(|_| count));
            trees.above.extend(found);
        }
        trees
    }

    /// Forests with so many nodes of trees whose places are below a limit or at it, in falling order.
    fn grow(&self, left: usize, limit: usize, forest: &mut Tree, found: &mut Vec<Tree>) {
        if left == 0 {
            found.push(forest.clone());
            return;
        }
        for tree in (0..limit).filter(|tree| self.nodes[*tree] <= left) {
            forest.push(tree);
            self.grow(left - self.nodes[tree], tree + 1, forest, found);
            forest.pop();
        }
    }

    /// Product of the sizes of all subtrees.
    fn density(&self, tree: usize) -> f64 {
        let above = self.above[tree].iter().map(|t| self.density(*t));
        #[expect(clippy::cast_precision_loss, reason = "a few nodes")]
        let size = self.nodes[tree] as f64;
        size * above.product::<f64>()
    }

    /// `g_i` of a tree: products over the trees above of `sum_j a_ij g_j`.
    fn weights(&self, tree: usize, tableau: &Tableau) -> Vec<f64> {
        let mut weights = vec![1.0; tableau.b.len()];
        for above in &self.above[tree] {
            let inner = self.weights(*above, tableau);
            for (weight, row) in weights.iter_mut().zip(&tableau.a) {
                *weight *= row.iter().zip(&inner).map(|(a, g)| a * g).sum::<f64>();
            }
        }
        weights
    }

    /// The largest defect of the conditions of an order, `sum_i b_i g_i = 1 / density`.
    fn defect(&self, order: usize, tableau: &Tableau, b: &[f64]) -> f64 {
        let of_order = (0..self.nodes.len()).filter(|tree| self.nodes[*tree] == order);
        let defects = of_order.map(|tree| {
            let weights = self.weights(tree, tableau);
            let sum: f64 = b.iter().zip(&weights).map(|(b, g)| b * g).sum();
            (sum - 1.0 / self.density(tree)).abs()
        });
        defects.fold(0.0, f64::max)
    }
}

/// J. C. Butcher, Numerical Methods for Ordinary Differential Equations, table 300(I).
#[test]
fn there_are_as_many_trees_as_there_should_be() {
    let trees = Trees::new(8);
    let counts = [1, 1, 2, 4, 9, 20, 48, 115];
    for (count, nodes) in counts.into_iter().zip(1..) {
        assert_eq!(trees.nodes.iter().filter(|n| **n == nodes).count(), count);
    }
}

/// Methods and embedded methods have their order, and not one more.
#[test]
fn order_conditions() {
    let trees = Trees::new(9);
    let has_order = |what: &str, tableau: &Tableau, b: &[f64], order: u32| {
        let order = usize::try_from(order).unwrap();
        for p in 1..=order {
            let defect = trees.defect(p, tableau, b);
            assert!(defect < 1e-14, "{what}, order {p}: {defect:e}");
        }
        let next = trees.defect(order + 1, tableau, b);
        assert!(next > 1e-6, "{what}, order {}: {next:e}", order + 1);
    };
    for (name, tableau, embedded) in [
        ("Euler", Tableau::euler(), &[][..]),
        ("Heun", Tableau::heun(), &[]),
        ("Kutta", Tableau::kutta3(), &[]),
        ("classical", Tableau::classical4(), &[]),
        ("Bogacki-Shampine", Tableau::bogacki_shampine3(), &[2]),
        ("Dormand-Prince 5", Tableau::dormand_prince5(), &[4]),
        ("Butcher", Tableau::butcher6(), &[]),
        ("Dormand-Prince 8", Tableau::dormand_prince8(), &[5, 3]),
    ] {
        assert!(tableau.check().is_ok(), "{name}");
        has_order(name, &tableau, &tableau.b, tableau.order);
        assert_eq!(tableau.errors.len(), embedded.len(), "{name}");
        for (error, order) in tableau.errors.iter().zip(embedded) {
            let weights: Vec<f64> = tableau.b.iter().zip(error).map(|(b, e)| b - e).collect();
            has_order(&format!("{name}, embedded"), &tableau, &weights, *order);
        }
    }
}

#[test]
fn inconsistent_tableaux_are_refused() {
    let wrong = |tableau: Tableau, words: &str| {
        let error = tableau.check().unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    };
    wrong(Tableau::new(2, &[&[], &[1.0]], &[0.5, 0.4]), "0.9");
    wrong(Tableau::new(2, &[&[], &[]], &[0.5, 0.5]), "length of a row");
    wrong(Tableau::new(2, &[&[], &[1.0]], &[1.0]), "number of weights");
    wrong(Tableau::heun().embedded(1, &[0.7, 0.7]), "differences");
}
