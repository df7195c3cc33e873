//! The thread that searches for closed forms.

use std::collections::{HashMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use lsp_server::RequestId;
use lsp_types::PublishDiagnosticsParams;
use pamela::document;
use pamela::effort::{Effort, Interrupt};
use pamela::pipeline::{Draft, Options, Simplified};

use crate::analysis::Analysis;
use crate::features::diagnostics;

/// Rest after a change before a search begins, and before one with the usual effort.
const REST: Duration = Duration::from_millis(150);
const LONG_REST: Duration = Duration::from_secs(1);
/// Expressions may be nested deeply.
const STACK: usize = 64 << 20;

/// A search.
#[derive(Debug)]
pub(crate) enum Job {
    /// The closed forms of a document.
    Forms {
        uri: String,
        draft: Arc<Draft>,
        /// With the usual effort, and at once.
        saved: bool,
        /// The document, if further errors are still to be looked for.
        unfinished: Option<Box<Analysis>>,
    },
    /// The derivation of one result, as the answer to a request.
    Show {
        request: RequestId,
        draft: Arc<Draft>,
        name: String,
    },
}

/// What the thread has found.
#[derive(Debug)]
pub(crate) enum Found {
    Forms,
    /// All errors of a document for which some were left for later.
    Errors(PublishDiagnosticsParams),
    Shown {
        request: RequestId,
        text: String,
    },
    /// A search failed by a defect of the program.
    Failed,
}

/// Closed forms with the model that they belong to.
#[derive(Clone, Debug)]
struct Forms {
    draft: Arc<Draft>,
    simplified: Arc<Simplified>,
}

/// The thread, as the server sees it.
pub(crate) struct Worker {
    jobs: Sender<Job>,
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    /// Ends the search that is under way.
    interrupt: Mutex<Interrupt>,
    forms: Mutex<HashMap<String, Forms>>,
}

/// The contents of a lock; a thread that panicked has left them as they were.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Worker {
    /// Starts the thread; `tell` is called with all that it finds.
    pub(crate) fn start(tell: impl Fn(Found) + Send + 'static) -> std::io::Result<Worker> {
        let (jobs, receiver) = mpsc::channel();
        let shared = Arc::new(Shared::default());
        let own = shared.clone();
        let thread = thread::Builder::new().name("closed forms".to_owned());
        thread.stack_size(STACK).spawn(move || {
            Search {
                receiver,
                shared: own,
                queue: VecDeque::new(),
                tell,
            }
            .run();
        })?;
        Ok(Worker { jobs, shared })
    }

    /// Adds a search, and ends the one that is under way.
    pub(crate) fn submit(&self, job: Job) {
        locked(&self.shared.interrupt).stop();
        // Without the thread, there are no closed forms.
        let _ = self.jobs.send(job);
    }

    /// The closed forms of a model, if they have been found.
    pub(crate) fn forms(&self, uri: &str, draft: &Arc<Draft>) -> Option<Arc<Simplified>> {
        let all = locked(&self.shared.forms);
        let own = all.get(uri).filter(|own| Arc::ptr_eq(&own.draft, draft));
        own.map(|own| own.simplified.clone())
    }

    pub(crate) fn forget(&self, uri: &str) {
        locked(&self.shared.forms).remove(uri);
    }
}

struct Search<T> {
    receiver: Receiver<Job>,
    shared: Arc<Shared>,
    queue: VecDeque<Job>,
    tell: T,
}

impl<T: Fn(Found)> Search<T> {
    fn run(mut self) {
        loop {
            while let Ok(job) = self.receiver.try_recv() {
                self.add(job);
            }
            let job = match self.queue.pop_front() {
                Some(job) => job,
                None => match self.receiver.recv() {
                    Ok(job) => job,
                    Err(_) => return,
                },
            };
            let interrupt = Interrupt::default();
            *locked(&self.shared.interrupt) = interrupt.clone();
            let done = catch_unwind(AssertUnwindSafe(|| self.one(job, &interrupt)));
            match done {
                Ok(true) => {}
                Ok(false) => return,
                Err(_) => (self.tell)(Found::Failed),
            }
        }
    }

    /// Adds a job; of those for closed forms only the last is kept.
    fn add(&mut self, job: Job) {
        if matches!(job, Job::Forms { .. }) {
            self.queue.retain(|own| !matches!(own, Job::Forms { .. }));
        }
        match job {
            Job::Show { .. } => self.queue.push_front(job),
            Job::Forms { .. } => self.queue.push_back(job),
        }
    }

    /// True if nothing else is asked for within a time.
    fn rests(&mut self, time: Duration) -> bool {
        match self.receiver.recv_timeout(time) {
            Ok(job) => {
                self.add(job);
                false
            }
            Err(RecvTimeoutError::Timeout) => true,
            Err(RecvTimeoutError::Disconnected) => false,
        }
    }

    /// Does one job; false if there will be no more.
    fn one(&mut self, job: Job, interrupt: &Interrupt) -> bool {
        match job {
            Job::Show {
                request,
                draft,
                name,
            } => {
                let text = shown(&draft, &name);
                (self.tell)(Found::Shown { request, text });
            }
            Job::Forms {
                uri,
                draft,
                saved,
                unfinished,
            } => {
                let again = Job::Forms {
                    uri: uri.clone(),
                    draft: draft.clone(),
                    saved,
                    unfinished: unfinished.clone(),
                };
                let finished = self.finished(unfinished.as_deref(), saved, interrupt)
                    && self.forms(&uri, &draft, saved, interrupt);
                // A request has interrupted the search.
                if !finished
                    && !self
                        .queue
                        .iter()
                        .any(|own| matches!(own, Job::Forms { .. }))
                {
                    while let Ok(job) = self.receiver.try_recv() {
                        self.add(job);
                    }
                    if !self.queue.is_empty() {
                        self.queue.push_front(again);
                        self.queue.rotate_left(1);
                    }
                }
            }
        }
        true
    }

    /// Finds the errors of a document that were left for later; false if it is interrupted.
    fn finished(&mut self, of: Option<&Analysis>, saved: bool, interrupt: &Interrupt) -> bool {
        let Some(analysis) = of else {
            return true;
        };
        if !saved && !self.rests(REST) {
            return false;
        }
        let further = analysis.draft.further_errors();
        if interrupt.is_stopped() {
            return false;
        }
        if !further.is_empty() {
            (self.tell)(Found::Errors(diagnostics::published(analysis, &further)));
        }
        true
    }

    /// Finds closed forms with little effort, and then with the usual one; false if it is
    /// interrupted.
    fn forms(&mut self, uri: &str, draft: &Arc<Draft>, saved: bool, interrupt: &Interrupt) -> bool {
        let efforts: &[(Duration, Effort)] = if saved {
            &[(Duration::ZERO, Effort::Normal)]
        } else {
            &[(REST, Effort::Low), (LONG_REST, Effort::Normal)]
        };
        for (rest, effort) in efforts {
            if !rest.is_zero() && !self.rests(*rest) {
                return false;
            }
            let found = draft.model.simplify(&options(*effort, interrupt));
            if interrupt.is_stopped() {
                return false;
            }
            // Facts that contradict each other are among the diagnostics.
            let Ok(simplified) = found else {
                return true;
            };
            let is_final = { simplified.equations.iter() }.all(|own| own.cut_short().is_none());
            let forms = Forms {
                draft: draft.clone(),
                simplified: Arc::new(simplified),
            };
            locked(&self.shared.forms).insert(uri.to_owned(), forms);
            (self.tell)(Found::Forms);
            if is_final {
                break;
            }
        }
        true
    }
}

fn options(effort: Effort, interrupt: &Interrupt) -> Options {
    Options {
        times: true,
        effort,
        interrupt: interrupt.clone(),
        ..Options::default()
    }
}

/// A result with its conditions and derivation, as text.
fn shown(draft: &Draft, name: &str) -> String {
    let options = Options {
        times: true,
        only: vec![name.to_owned()],
        explain: true,
        ..Options::default()
    };
    match draft.model.simplify(&options) {
        Ok(simplified) => document::pamela(&draft.model, &simplified),
        Err(error) => error.render(false),
    }
}
