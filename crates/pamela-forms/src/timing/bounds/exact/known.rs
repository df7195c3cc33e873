//! Known times of processes that nothing disturbs.

use std::rc::Rc;

use crate::expr::ExprId;
use crate::timing::bounds::sides::{Exact, Spot, Step};
use crate::timing::certificate::{Application, Order, Precondition, Proof};

impl Exact {
    pub(in crate::timing::bounds) fn proof(&self) -> Proof {
        let orders = self.applications.iter().map(|a| a.theorem.order());
        Proof {
            order: orders.max().unwrap_or_default(),
            applications: self.applications.iter().cloned().collect(),
        }
    }

    /// The time, if every run takes it in any order of requests.
    pub(in crate::timing::bounds) fn in_any_order(&self) -> Option<ExprId> {
        self.time.filter(|_| self.proof().order == Order::Any)
    }

    /// Checks a precondition of all sections that the time rests on; drops the time if it fails.
    pub(super) fn requiring(self, precondition: Precondition, holds: bool) -> Exact {
        let asked = |a: &Application| a.theorem.preconditions().contains(&precondition);
        // The condition must hold even if nobody waits.
        let rests_on_it = self.applications.is_empty() || self.applications.iter().any(asked);
        if holds || !rests_on_it {
            return self;
        }
        Exact::unknown(self.places)
    }

    /// A process that shares no resources and has no known time.
    pub(super) fn unknown(places: Rc<[Spot]>) -> Exact {
        Exact {
            time: None,
            applications: Rc::default(),
            places,
            crowd: None,
            burst: None,
            task: None,
        }
    }

    pub(in crate::timing::bounds) fn steps(&self, one: ExprId) -> Option<&Rc<[Step]>> {
        let crowd = self.crowd.as_ref()?;
        (crowd.count == one && crowd.private.is_empty()).then_some(&crowd.steps)
    }
}
