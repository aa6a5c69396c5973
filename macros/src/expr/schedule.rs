//! From outputs to an ordered list of statements.
//!
//! Depth first from each output, so that a value is computed shortly before it is
//! needed; a value that is used once is written inside the expression that uses
//! it, as long as that stays readable. Functions of the same argument are computed
//! together, where the first of them is needed.

use super::hash::FastMap;
use super::{Graph, Id, Node};

/// A straight-line function: what it computes, in order.
#[derive(Clone, Debug)]
pub(crate) struct Kernel {
    /// Values with a name, each after those that it uses.
    pub(crate) statements: Vec<Statement>,
    /// The results, in the order of the outputs.
    pub(crate) outputs: Vec<Id>,
}

/// One named value, or several functions of the same argument.
#[derive(Clone, Debug)]
pub(crate) struct Statement {
    pub(crate) ids: Vec<Id>,
}

/// Longest expression that is written without names for its parts.
const INLINE_OPERATIONS: usize = 8;

impl Graph {
    /// Orders the computation of some outputs.
    pub(crate) fn schedule(&self, outputs: &[Id]) -> Kernel {
        let mut uses: FastMap<Id, u32> = FastMap::default();
        let mut order = Vec::new();
        for id in outputs {
            self.visit(*id, &mut uses, &mut order);
        }
        let mut together: FastMap<Id, Vec<Id>> = FastMap::default();
        for id in &order {
            if let Node::Call(_, argument) = self.node(*id) {
                together.entry(argument).or_default().push(*id);
            }
        }
        let mut inline: FastMap<Id, usize> = FastMap::default();
        let mut statements = Vec::new();
        for id in order {
            match self.node(id) {
                Node::Constant(_) | Node::Input(_) => continue,
                Node::Call(_, argument) => {
                    if let Some(ids) = together.remove(&argument) {
                        statements.push(Statement { ids });
                    }
                    continue;
                }
                _ => {}
            }
            let size: usize = 1 + self
                .operands(id)
                .map(|operand| inline.get(&operand).copied().unwrap_or(0))
                .sum::<usize>();
            if uses[&id] == 1 && size <= INLINE_OPERATIONS {
                inline.insert(id, size);
            } else {
                statements.push(Statement { ids: vec![id] });
            }
        }
        Kernel {
            statements,
            outputs: outputs.to_vec(),
        }
    }

    fn visit(&self, id: Id, uses: &mut FastMap<Id, u32>, order: &mut Vec<Id>) {
        let count = uses.entry(id).or_insert(0);
        *count += 1;
        if *count > 1 {
            return;
        }
        for operand in self.operands(id) {
            self.visit(operand, uses, order);
        }
        order.push(id);
    }

    /// Additions, multiplications, divisions and calls of a kernel.
    pub(crate) fn operations(&self, outputs: &[Id]) -> usize {
        let mut uses = FastMap::default();
        let mut order = Vec::new();
        for id in outputs {
            self.visit(*id, &mut uses, &mut order);
        }
        order
            .iter()
            .filter(|id| {
                !matches!(
                    self.node(**id),
                    Node::Constant(_) | Node::Input(_) | Node::Neg(_)
                )
            })
            .count()
    }
}
