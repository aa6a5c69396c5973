//! Constant expressions: arithmetic on numbers and vectors.

use std::collections::HashMap;

use syn::spanned::Spanned;
use syn::{BinOp, Expr, ExprLit, Lit, UnOp};

/// A number, a vector or a matrix.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    Number(f64),
    List(Vec<Value>),
}

/// Constants by name.
pub(crate) type Constants = HashMap<String, Value>;

impl Value {
    fn map2(&self, other: &Self, f: &dyn Fn(f64, f64) -> f64) -> Option<Self> {
        match (self, other) {
            (Self::Number(a), Self::Number(b)) => Some(Self::Number(f(*a, *b))),
            (Self::List(a), Self::List(b)) if a.len() == b.len() => a
                .iter()
                .zip(b)
                .map(|(a, b)| a.map2(b, f))
                .collect::<Option<_>>()
                .map(Self::List),
            _ => None,
        }
    }

    fn scale(&self, factor: f64) -> Self {
        match self {
            Self::Number(x) => Self::Number(factor * x),
            Self::List(items) => Self::List(items.iter().map(|x| x.scale(factor)).collect()),
        }
    }

    /// The number, if it is one.
    pub(crate) fn number(&self) -> Option<f64> {
        match self {
            Self::Number(x) => Some(*x),
            Self::List(_) => None,
        }
    }

    /// The numbers of a flat list.
    pub(crate) fn vector(&self) -> Option<Vec<f64>> {
        match self {
            Self::List(items) => items.iter().map(Self::number).collect(),
            Self::Number(_) => None,
        }
    }
}

/// Evaluates an expression.
pub(crate) fn evaluate(expr: &Expr, constants: &Constants) -> syn::Result<Value> {
    let fail = |text: &str| Err(syn::Error::new(expr.span(), text));
    match expr {
        Expr::Lit(ExprLit {
            lit: Lit::Float(x), ..
        }) => x.base10_parse().map(Value::Number),
        Expr::Lit(ExprLit {
            lit: Lit::Int(x), ..
        }) => x.base10_parse().map(Value::Number),
        Expr::Paren(inner) => evaluate(&inner.expr, constants),
        Expr::Group(inner) => evaluate(&inner.expr, constants),
        Expr::Array(array) => array
            .elems
            .iter()
            .map(|item| evaluate(item, constants))
            .collect::<syn::Result<_>>()
            .map(Value::List),
        Expr::Repeat(repeat) => {
            let item = evaluate(&repeat.expr, constants)?;
            match evaluate(&repeat.len, constants)?.number() {
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "checked"
                )]
                Some(n) if (0.0..=1e3).contains(&n) && n.fract() == 0.0 => {
                    Ok(Value::List(vec![item; n as usize]))
                }
                _ => fail("the length of a list must be a small whole number"),
            }
        }
        Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => {
            Ok(evaluate(&unary.expr, constants)?.scale(-1.0))
        }
        Expr::Binary(binary) => {
            let (a, b) = (
                evaluate(&binary.left, constants)?,
                evaluate(&binary.right, constants)?,
            );
            let result = match binary.op {
                BinOp::Add(_) => a.map2(&b, &|a, b| a + b),
                BinOp::Sub(_) => a.map2(&b, &|a, b| a - b),
                BinOp::Mul(_) => match (a.number(), b.number()) {
                    (Some(x), _) => Some(b.scale(x)),
                    (_, Some(x)) => Some(a.scale(x)),
                    _ => None,
                },
                BinOp::Div(_) => match (a.number(), b.number()) {
                    (Some(x), Some(y)) => Some(Value::Number(x / y)),
                    (_, Some(y)) => Some(a.scale(1.0 / y)),
                    _ => None,
                },
                _ => return fail("only +, -, * and / are known here"),
            };
            match result {
                Some(value) => Ok(value),
                None => fail(
                    "these two do not fit together: numbers with numbers, vectors with vectors of the same length, or a number times a vector",
                ),
            }
        }
        Expr::Path(path) => {
            let name = path
                .path
                .get_ident()
                .map(ToString::to_string)
                .unwrap_or_default();
            if name == "PI" {
                return Ok(Value::Number(std::f64::consts::PI));
            }
            constants.get(&name).cloned().map_or_else(
                || fail("the value is needed when the macro runs: write a number, or declare it with `consts(NAME = ..)` in the attribute"),
                Ok,
            )
        }
        Expr::Call(call) => function(call, constants),
        _ => fail("expected a number, a list like [x, y, z], or arithmetic on them"),
    }
}

fn function(call: &syn::ExprCall, constants: &Constants) -> syn::Result<Value> {
    let name = match &*call.func {
        Expr::Path(path) => path
            .path
            .get_ident()
            .map(ToString::to_string)
            .unwrap_or_default(),
        _ => String::new(),
    };
    let mut arguments = Vec::new();
    for argument in &call.args {
        match evaluate(argument, constants)?.number() {
            Some(x) => arguments.push(x),
            None => return Err(syn::Error::new(argument.span(), "expected a number")),
        }
    }
    let value = match (name.as_str(), &arguments[..]) {
        ("sqrt", [x]) => x.sqrt(),
        ("sin", [x]) => x.sin(),
        ("cos", [x]) => x.cos(),
        ("tan", [x]) => x.tan(),
        ("asin", [x]) => x.asin(),
        ("acos", [x]) => x.acos(),
        ("atan", [x]) => x.atan(),
        ("atan2", [y, x]) => y.atan2(*x),
        _ => {
            return Err(syn::Error::new(
                call.span(),
                "unknown function; known are sqrt, sin, cos, tan, asin, acos, atan and atan2",
            ));
        }
    };
    Ok(Value::Number(value))
}
