//! Random numbers of copies, mixtures, and random conditions.

use super::lazy::Lazy;
use super::{Basis, Calculus, Law, Result, Shape, common_step, step_of, worst};
use crate::offset::Offset;
use crate::{Cumulants, Discrete, Grid, Support, Tails};

impl Calculus {
    /// The sum of a random number of copies.
    ///
    /// # Errors
    /// Fails if the count may be negative.
    pub fn random_sum(&self, count: &Law, law: &Law) -> Result<Law> {
        let (count, law) = (
            &self.about(count, Offset::ZERO),
            &self.about(law, Offset::ZERO),
        );
        let any = matches!(count.shape, Shape::Moments);
        if count.support.lower < 0.0 && !(any && count.support.lower.is_infinite()) {
            let lowest = count.support.lower;
            return Err(format!(
                "a number of copies may be {lowest}, which is below 0"
            ));
        }
        if let Some(n) = count.as_constant() {
            return self.repeated(law, n);
        }
        let tails = law.tails.or(Tails::product([
            (count.tails, count.support),
            (Tails::LIGHT, law.support),
        ]));
        let sum = self.random_sum_about_zero(count, law)?.with_tails(tails);
        Ok(sum.in_steps(law.step()))
    }

    fn random_sum_about_zero(&self, count: &Law, law: &Law) -> Result<Law> {
        let cumulants = Cumulants::random_sum(&count.cumulants, &law.cumulants);
        let discrete =
            self.of_discrete(&[count, law], |laws| Discrete::random_sum(laws[0], laws[1]));
        if let Some(sum) = discrete {
            return Ok(sum.with_cumulants(cumulants));
        }
        super::spread_in_range(&cumulants)?;
        let shaped = !matches!(count.shape, Shape::Moments) && !matches!(law.shape, Shape::Moments);
        if self.by_grid() && shaped && cumulants.variance.is_finite() {
            let parts = vec![self.lazy(count)?, self.lazy(law)?];
            let support = count.support.random_sum(law.support);
            let grid = Lazy::from_parts(parts, |grids| Grid::random_sum(grids[0], grids[1]));
            return Ok(Law::of_lazy(grid, cumulants, support, worst([count, law])));
        }
        let nonnegative = law.support.lower >= 0.0;
        let support = if nonnegative {
            Support::NONNEGATIVE
        } else {
            Support::REAL
        };
        let basis = worst([count, law]).max(Basis::Fitted);
        Ok(Law::of_cumulants(cumulants, support, basis))
    }

    /// A mixture: each law with its probability.
    ///
    /// # Errors
    /// Fails if a probability is outside of 0 to 1, or if the probabilities do not add up to 1.
    pub fn mixture(&self, parts: &[(f64, &Law)]) -> Result<Law> {
        let total: f64 = parts.iter().map(|(weight, _)| weight).sum();
        if let Some((weight, _)) = parts.iter().find(|(w, _)| !(0.0..=1.0).contains(w)) {
            return Err(format!("the probability {weight} is not between 0 and 1"));
        }
        if (total - 1.0).abs() > 1e-9 {
            return Err(format!("the probabilities add up to {total}, not to 1"));
        }
        let possible: Vec<(f64, &Law)> = parts.iter().copied().filter(|(w, _)| *w > 0.0).collect();
        if let [(_, single)] = possible[..] {
            return Ok(single.clone());
        }
        let likeliest = possible.iter().max_by(|a, b| a.0.total_cmp(&b.0));
        let origin = likeliest.map_or(Offset::ZERO, |(_, law)| law.offset);
        let near = possible
            .iter()
            .map(|(w, law)| (*w, self.about(law, origin)));
        let near: Vec<(f64, Law)> = near.collect();
        let possible: Vec<(f64, &Law)> = near.iter().map(|(w, law)| (*w, law)).collect();
        let tails = possible.iter().map(|(_, law)| law.tails);
        let tails = tails.fold(Tails::LIGHT, Tails::or);
        let mixture = self.mixture_about_zero(&possible)?;
        let step = step_of(possible.iter().map(|(_, law)| *law));
        Ok(mixture.with_tails(tails).in_steps(step).plus(origin))
    }

    fn mixture_about_zero(&self, possible: &[(f64, &Law)]) -> Result<Law> {
        let weights = || possible.iter().map(|(weight, _)| *weight);
        let laws: Vec<&Law> = possible.iter().map(|(_, law)| *law).collect();
        let cumulants = weights().zip(laws.iter().map(|law| law.cumulants));
        let cumulants = Cumulants::mixture(&cumulants.collect::<Vec<_>>());
        let discrete = self.of_discrete(&laws, |laws| {
            Discrete::mixture(&weights().zip(laws.iter().copied()).collect::<Vec<_>>())
        });
        if let Some(mixture) = discrete {
            return Ok(mixture.with_cumulants(cumulants));
        }
        let basis = worst(laws.iter().copied());
        let ends = laws.iter().map(|law| law.support);
        let support = ends.reduce(|a, b| Support::new(a.lower.min(b.lower), a.upper.max(b.upper)));
        let support = support.unwrap_or(Support::REAL);
        // Moments mix, also those that no law has.
        if self.by_grid()
            && let Ok(parts) = laws.iter().map(|law| self.lazy(law)).collect::<Result<_>>()
        {
            let weights: Vec<f64> = weights().collect();
            let grid = Lazy::from_parts(parts, move |grids| {
                let parts = weights.iter().copied().zip(grids.iter().copied());
                Grid::mixture(&parts.collect::<Vec<_>>())
            });
            return Ok(Law::of_lazy(grid, cumulants, support, basis));
        }
        Ok(Law::of_cumulants(
            cumulants,
            support,
            basis.max(Basis::Fitted),
        ))
    }

    /// A random condition in product form.
    ///
    /// # Errors
    /// Fails if the condition has values outside of 0 to 1.
    pub fn choice(&self, condition: &Law, then: &Law, other: &Law) -> Result<Law> {
        let p = condition.cumulants().mean;
        if !(0.0..=1.0).contains(&p) {
            return Err(format!(
                "a condition holds with the probability {p}, not between 0 and 1"
            ));
        }
        let (condition, other) = (
            &self.about(condition, Offset::ZERO),
            &self.about(other, then.offset),
        );
        let cumulants =
            Cumulants::conditional(&condition.cumulants, &then.cumulants, &other.cumulants);
        let nonnegative = then.support().lower >= 0.0 && other.support().lower >= 0.0;
        let support = if nonnegative {
            Support::NONNEGATIVE.shifted(-then.offset.value())
        } else {
            Support::REAL
        };
        let basis = worst([condition, then, other]).max(Basis::Fitted);
        let tails = condition.tails.or(then.tails).or(other.tails);
        let choice = Law::of_cumulants(cumulants, support, basis);
        let then_step = then.constant_offset().map_or(then.step(), |_| Some(0.0));
        let step = common_step([then_step, other.step()]);
        Ok(choice.with_tails(tails).in_steps(step).plus(then.offset))
    }
}
