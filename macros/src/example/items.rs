//! Items of generated code, and what the border asks for.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::{Expr, File, ImplItem, Item, Path, Signature, Stmt, Token, TraitItem};

/// What the trait `System` of the runtime asks for: types, and functions without a body with the
/// number of their arguments.
pub(crate) fn asked_for() -> Vec<String> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../runtime/src/system.rs");
    let text = std::fs::read_to_string(path).expect("the border");
    let file = syn::parse_file(&text).expect("Rust");
    let system = file.items.into_iter().find_map(|item| match item {
        Item::Trait(item) if item.ident == "System" => Some(item),
        _ => None,
    });
    let asked = system.expect("the trait").items.into_iter();
    let asked = asked.filter_map(|item| match item {
        TraitItem::Fn(item) if item.default.is_none() => Some(function(&item.sig)),
        TraitItem::Type(item) => Some(item.ident.to_string()),
        _ => None,
    });
    asked.collect()
}

/// `name/3` for a function with three arguments.
fn function(signature: &Signature) -> String {
    format!("{}/{}", signature.ident, signature.inputs.len())
}

/// All items of generated code, those in blocks included: `struct Name`, `trait Name`,
/// `Name::function/2`, `Name::CONSTANT`, `<Name as Trait>::function/2`, and `<Name as Trait>` if that
/// is derived.
pub(crate) fn items(tokens: TokenStream) -> Vec<String> {
    let file: File = syn::parse2(tokens).expect("Rust");
    let mut found = Vec::new();
    collect(&file.items, &mut found);
    found.sort();
    found
}

fn is_derive(path: &Path) -> bool {
    path.segments
        .last()
        .is_some_and(|last| last.ident == "derive")
}

fn collect(items: &[Item], found: &mut Vec<String>) {
    for item in items {
        match item {
            Item::Struct(item) => {
                found.push(format!("struct {}", item.ident));
                let derived = item.attrs.iter().filter(|a| is_derive(a.path()));
                for path in derived.flat_map(|derive| {
                    let parse = Punctuated::<Path, Token![,]>::parse_terminated;
                    derive.parse_args_with(parse).expect("traits")
                }) {
                    let name = &path.segments.last().expect("a trait").ident;
                    found.push(format!("<{} as {name}>", item.ident));
                }
            }
            Item::Trait(item) => found.push(format!("trait {}", item.ident)),
            Item::Impl(item) => {
                let owner = item.self_ty.to_token_stream().to_string();
                let of = item.trait_.as_ref().map(|(path, _)| path);
                let of = of.and_then(|path| path.segments.last());
                let owner = of.map_or_else(
                    || owner.clone(),
                    |last| format!("<{owner} as {}>", last.ident),
                );
                // It may as well be derived.
                if owner.ends_with("as Default>") {
                    found.push(owner);
                    continue;
                }
                found.extend(item.items.iter().filter_map(|item| {
                    let name = match item {
                        ImplItem::Fn(item) => function(&item.sig),
                        ImplItem::Const(item) => item.ident.to_string(),
                        ImplItem::Type(item) => item.ident.to_string(),
                        _ => return None,
                    };
                    Some(format!("{owner}::{name}"))
                }));
            }
            Item::Const(item) => {
                if let Expr::Block(block) = &*item.expr {
                    let inside = block.block.stmts.iter().filter_map(|stmt| match stmt {
                        Stmt::Item(item) => Some(item.clone()),
                        _ => None,
                    });
                    collect(&inside.collect::<Vec<_>>(), found);
                }
            }
            _ => {}
        }
    }
}
