//! An interpreter of generated code.

use std::collections::HashMap;

use quote::ToTokens;
use syn::{BinOp, Block, Expr, Lit, Pat, Stmt, UnOp};

use crate::example::Values;
use crate::expr::Function;
use crate::formula::Elementary;

fn unexpected(tokens: &dyn ToTokens) -> ! {
    panic!("generated code has no `{}`", tokens.to_token_stream())
}

/// Computes generated Rust: what a compiler would make of it, without rounding differences of
/// fused operations.
#[derive(Default)]
pub(super) struct Machine {
    numbers: HashMap<String, f64>,
    pub(super) arrays: HashMap<String, Vec<f64>>,
    functions: HashMap<String, Block>,
}

impl Machine {
    pub(super) fn with(values: &Values, arrays: &[&'static str]) -> Self {
        let mut machine = Self::default();
        for array in arrays {
            let values = values.get(array).to_vec();
            machine.arrays.insert((*array).to_owned(), values);
        }
        machine
    }

    pub(super) fn run(&mut self, block: &Block) {
        for statement in &block.stmts {
            match statement {
                Stmt::Local(local) => {
                    let value = &local.init.as_ref().expect("a value").expr;
                    self.bind(&local.pat, value);
                }
                Stmt::Item(syn::Item::Fn(part)) => {
                    let name = part.sig.ident.to_string();
                    self.functions.insert(name, (*part.block).clone());
                }
                Stmt::Expr(Expr::Assign(assign), _) => {
                    let value = self.number(&assign.right);
                    let (array, index) = place(&assign.left);
                    self.arrays.get_mut(&array).expect("an array")[index] = value;
                }
                Stmt::Expr(Expr::Call(call), _) => {
                    let body = self.functions[&name(&call.func)].clone();
                    // Names inside of a function are its own.
                    let outside = std::mem::take(&mut self.numbers);
                    self.run(&body);
                    self.numbers = outside;
                }
                other => unexpected(other),
            }
        }
    }

    fn bind(&mut self, pattern: &Pat, value: &Expr) {
        match (pattern, value) {
            (Pat::Ident(name), Expr::Repeat(repeat)) => {
                let len: usize = literal_text(&repeat.len).parse().expect("a length");
                self.arrays.insert(name.ident.to_string(), vec![0.0; len]);
            }
            (Pat::Ident(name), value) => {
                let value = self.number(value);
                self.numbers.insert(name.ident.to_string(), value);
            }
            (Pat::Slice(slice), Expr::Unary(source)) => {
                let array = self.arrays[&name(&source.expr)].clone();
                for (pattern, value) in slice.elems.iter().zip(array) {
                    if let Pat::Ident(name) = pattern {
                        self.numbers.insert(name.ident.to_string(), value);
                    }
                }
            }
            // Functions of one argument: `{ let s = ..; if s < rt::NEAR { [..] } else { .. } }`.
            (Pat::Slice(slice), Expr::Block(block)) => {
                let [Stmt::Local(argument), Stmt::Expr(Expr::If(choice), None)] =
                    &block.block.stmts[..]
                else {
                    unexpected(block)
                };
                let s = self.number(&argument.init.as_ref().expect("a value").expr);
                let [Stmt::Expr(Expr::Array(near), None)] = &choice.then_branch.stmts[..] else {
                    unexpected(choice)
                };
                for (pattern, call) in slice.elems.iter().zip(&near.elems) {
                    let (Pat::Ident(to), Expr::Call(call)) = (pattern, call) else {
                        unexpected(call)
                    };
                    let value = coefficient(&name(&call.func)).value(s);
                    self.numbers.insert(to.ident.to_string(), value);
                }
            }
            (_, other) => unexpected(other),
        }
    }

    pub(super) fn number(&self, expr: &Expr) -> f64 {
        match expr {
            Expr::Lit(_) => literal_text(expr).parse().expect("a number"),
            Expr::Path(_) => self.numbers[&name(expr)],
            Expr::Paren(inner) => self.number(&inner.expr),
            Expr::Index(_) => {
                let (array, index) = place(expr);
                self.arrays[&array][index]
            }
            Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => -self.number(&unary.expr),
            Expr::Binary(binary) => {
                let (a, b) = (self.number(&binary.left), self.number(&binary.right));
                match binary.op {
                    BinOp::Add(_) => a + b,
                    BinOp::Sub(_) => a - b,
                    BinOp::Mul(_) => a * b,
                    BinOp::Div(_) => a / b,
                    other => unexpected(&other),
                }
            }
            Expr::Call(call) => {
                let x: Vec<f64> = call.args.iter().map(|x| self.number(x)).collect();
                match (name(&call.func).as_str(), &x[..]) {
                    ("dot2", [a, b, c, d]) => a * b + c * d,
                    ("dot3", [a, b, c, d, e, f]) => a * b + c * d + e * f,
                    ("det2", [a, b, c, d]) => a * b - c * d,
                    ("add_mul", [a, b, c]) => a + b * c,
                    ("sub_mul", [a, b, c]) => a - b * c,
                    ("select", [a, b, x, y]) => *if a < b { x } else { y },
                    ("atan2", [y, x]) => y.atan2(*x),
                    (function, [x]) => {
                        let named = Elementary::NAMED.iter().find(|(name, _)| *name == function);
                        named.expect("a function").1.value(*x)
                    }
                    (function, _) => panic!("{function}"),
                }
            }
            other => unexpected(other),
        }
    }
}

fn coefficient(name: &str) -> Function {
    match name {
        "cosine" => Function::Cosine,
        "sinc" => Function::Sinc,
        "cosc" => Function::Cosc,
        "sine_defect" => Function::SineDefect,
        "cot_defect" => Function::CotDefect,
        other => panic!("{other}"),
    }
}

/// The last word of a path.
fn name(expr: &Expr) -> String {
    let Expr::Path(path) = expr else {
        unexpected(expr)
    };
    let last = path.path.segments.last().expect("a name");
    last.ident.to_string()
}

/// The digits of a literal.
fn literal_text(expr: &Expr) -> String {
    match expr {
        Expr::Lit(lit) => match &lit.lit {
            Lit::Float(x) => x.base10_digits().to_owned(),
            Lit::Int(x) => x.base10_digits().to_owned(),
            other => unexpected(other),
        },
        other => unexpected(other),
    }
}

/// `array[index]`.
fn place(expr: &Expr) -> (String, usize) {
    let Expr::Index(index) = expr else {
        unexpected(expr)
    };
    let place = literal_text(&index.index).parse().expect("an index");
    (name(&index.expr), place)
}
