//! Nothing is allocated once a system has been assembled, factored and solved.
use polhode_runtime::linear::{LinearMethod, LinearSystem};

const METHODS: &[LinearMethod] = &[
    LinearMethod::Dense,
    LinearMethod::LeastNorm,
    LinearMethod::Fronts,
];

/// A chain of `bodies` blocks of size 3, coupled by two constraints between neighbours. `value`
/// gives the numbers.
fn assemble(system: &mut LinearSystem, bodies: usize, mut value: impl FnMut() -> f64) {
    system.begin();
    for body in 0..bodies {
        let mut mass = [value(); 9];
        mass[0] += 3.0;
        mass[4] += 3.0;
        mass[8] += 3.0;
        system.add_block(3 * body, 3 * body, 3, 3, &mass);
    }
    for joint in 0..bodies - 1 {
        let mut jacobian = [0.0; 12];
        let mut transposed = [0.0; 12];
        for i in 0..2 {
            for j in 0..6 {
                jacobian[6 * i + j] = value();
                transposed[2 * j + i] = jacobian[6 * i + j];
            }
        }
        let row = 3 * bodies + 2 * joint;
        system.add_block(row, 3 * joint, 2, 6, &jacobian);
        system.add_block(3 * joint, row, 6, 2, &transposed);
    }
}

/// Allocations of 100 rounds after the first, with numbers that change by `change` each time.
fn allocations(method: LinearMethod, bodies: usize, change: f64) -> u64 {
    let size = 5 * bodies - 2;
    let mut system = LinearSystem::new(size, method);
    let mut x = vec![1.0; size];
    let mut round = 0.0;
    let mut step = || {
        let mut k = 0.0;
        assemble(&mut system, bodies, || {
            k += 1.0;
            f64::sin(7.3 * k * k + change * round * k)
        });
        system.factor().unwrap();
        x.fill(1.0);
        system.solve(&mut x);
        assert!(x.iter().all(|x| x.is_finite()));
        round += 1.0;
    };
    step();
    let info = allocation_counter::measure(|| (0..100).for_each(|_| step()));
    info.count_total
}

#[test]
fn the_counter_counts() {
    let info = allocation_counter::measure(|| drop(std::hint::black_box(vec![1.0])));
    assert_eq!(info.count_total, 1);
}

#[test]
fn factor_and_solve_do_not_allocate() {
    for &method in METHODS {
        for bodies in [2, 10, 60] {
            assert_eq!(
                allocations(method, bodies, 1e-9),
                0,
                "{method:?}, {bodies} bodies"
            );
        }
    }
}

/// Other row exchanges in every round: dense methods need nothing, the lists of fronts may grow,
/// with doubled capacity each time.
#[test]
fn changing_pivots_allocate_rarely() {
    for &method in METHODS {
        for bodies in [2, 10, 60] {
            let count = allocations(method, bodies, 0.1);
            let limit = match method {
                LinearMethod::Dense | LinearMethod::LeastNorm => 0,
                // Several lists grow with what is delayed.
                LinearMethod::Fronts => 16,
            };
            assert!(
                count <= limit,
                "{method:?}, {bodies} bodies: {count} allocations"
            );
        }
    }
}
