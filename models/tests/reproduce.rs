//! `polhode reproduce`: which published results hold.

mod program_support;

use program_support::{Scratch, json, number, polhode, stdout};
use serde_json::Value;

/// Claims that hold as far as they are computed, which is not all of what they state.
const IN_PART: [&str; 6] = [
    "001-fig3",
    "001-fig6",
    "001-fig7",
    "001-fig11",
    "001-fig16",
    "001-fig20",
];

/// Claims that do not hold as printed. All others that are computed do.
const DIFFERENT: [&str; 19] = [
    "000-table2",
    "000-fig1",
    "000-fig2",
    "000-fig3",
    "000-fig4",
    "000-fig5",
    "000-fig6",
    "001-table4",
    "001-fig5",
    "001-table5",
    "001-table7",
    "001-fig19",
    "003-eq53",
    "003-fig10",
    "003-fig15",
    "004-fig3",
    "004-fig4",
    "004-fig7",
    "004-fig10",
];

#[test]
fn every_claim_has_the_verdict_that_is_known() {
    let scratch = Scratch::new("reproduce");
    let out = scratch.path("reproduce");
    let report = json(&["reproduce", "all", "--out", &out, "--json"]);
    let claims = report["claims"].as_array().expect("claims");
    let mut computed = 0;
    for claim in claims {
        let id = claim["id"].as_str().expect("an id");
        let checks = claim["checks"].as_array().expect("checks");
        if claim["verdict"] == "not yet" {
            assert!(checks.is_empty() && claim["missing"].is_string(), "{id}");
            continue;
        }
        computed += 1;
        let expected = if DIFFERENT.contains(&id) {
            "differs"
        } else if IN_PART.contains(&id) {
            "in part"
        } else {
            "reproduced"
        };
        assert_eq!(claim["verdict"], expected, "{claim:#}");
        let unchecked = claim["unchecked"].as_array().expect("statements");
        assert!(expected != "reproduced" || unchecked.is_empty(), "{id}");
        assert!(expected != "in part" || !unchecked.is_empty(), "{id}");
        for statement in unchecked {
            assert!(
                statement.as_str().is_some_and(|text| text.len() > 10),
                "{id}"
            );
        }
        assert!(!checks.is_empty(), "{id}");
        for check in checks {
            let told = check["instead"].is_string();
            assert_eq!(told, check["holds"] == false, "{id}: {check:#}");
        }
        for file in claim["files"].as_array().expect("files") {
            let file = file.as_str().expect("a name");
            let text = scratch.read(&format!("reproduce/{file}"));
            if file.contains("svg") {
                assert!(
                    text.ends_with("</svg>\n") && !text.contains("NaN"),
                    "{file}"
                );
            } else {
                assert!(text.lines().count() > 2, "{file}");
            }
        }
    }
    assert_eq!((computed, claims.len()), (52, 62));
    let page = scratch.read("reproduce/index.html");
    for claim in claims {
        let anchor = format!("<h2 id=\"{}\">", claim["id"].as_str().expect("an id"));
        assert!(page.contains(&anchor), "{anchor}");
    }
    let stored: Value =
        serde_json::from_str(&scratch.read("reproduce/reproduce.json")).expect("JSON");
    assert_eq!(stored, report);
}

#[test]
fn the_verdicts_are_counted() {
    let text = stdout(&polhode(&["reproduce", "004"]));
    let last = text.lines().last().expect("the counts");
    assert_eq!(
        last, "3 reproduced, 0 in part, 4 differs, 0 not yet",
        "{text}"
    );
    assert!(
        text.contains("? not checked: more accurate than Euler parameters"),
        "{text}"
    );
    let all = json(&["reproduce", "all", "--json"]);
    let claims = all["claims"].as_array().expect("claims");
    let counts = ["reproduced", "in part", "differs", "not yet"].map(|verdict| {
        claims
            .iter()
            .filter(|claim| claim["verdict"] == verdict)
            .count()
    });
    assert_eq!(counts, [27, 6, 19, 10]);
}

#[test]
fn one_claim_or_one_paper_can_be_asked_for() {
    let claims = |name| json(&["reproduce", name, "--json"])["claims"].clone();
    let pendulum = claims("003-fig5");
    assert_eq!(pendulum.as_array().map(Vec::len), Some(1));
    // The printed amplitude has three digits.
    let ours = &pendulum[0]["checks"][0]["ours"];
    let ours: f64 = ours
        .as_str()
        .and_then(|x| x.parse().ok())
        .expect("a number");
    assert!((ours - 0.248).abs() < 5e-4, "{ours}");
    let paper = claims("002");
    assert!(paper.as_array().is_some_and(|claims| claims.len() > 1));
    assert!(number(&paper[0]["paper"]["year"]) > 2000.0);
}
