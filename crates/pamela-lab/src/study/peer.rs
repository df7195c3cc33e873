//! Other programs that close sums: one long-lived process each, with questions as lines of text.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

/// Prefix of an answer; all other lines are ignored.
const MARK: &str = "=> ";
/// For one sum.
const LIMIT: Duration = Duration::from_secs(10);
const START_LIMIT: Duration = Duration::from_secs(60);

/// A program and the text that turns it into a peer.
pub struct Program {
    /// Name in the list of sums.
    pub name: &'static str,
    pub title: &'static str,
    command: &'static [&'static str],
    /// Given to it at its start, on its command line or as its first input.
    driver: &'static str,
    driver_is_argument: bool,
    /// Requirements besides the command.
    needs: &'static str,
}

pub const PROGRAMS: [Program; 3] = [
    Program {
        name: "sympy",
        title: "SymPy",
        command: &["python3", "-u", "-c"],
        driver: include_str!("../../studies/sympy_peer.py"),
        driver_is_argument: true,
        needs: "the package `sympy` of this Python",
    },
    Program {
        name: "maxima",
        title: "Maxima",
        command: &["maxima", "--very-quiet"],
        driver: include_str!("../../studies/maxima_peer.mac"),
        driver_is_argument: false,
        needs: "its share files (`simplify_sum`; in Debian the package `maxima-share`)",
    },
    Program {
        name: "barvinok",
        title: "barvinok",
        command: &["python3", "-u", "-c"],
        driver: include_str!("../../studies/barvinok_peer.py"),
        driver_is_argument: true,
        needs: "the package `islpy` of this Python, with barvinok",
    },
];

/// Answer of a peer for a sum.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Reply {
    pub closed: bool,
    /// Processor time inside the process, without start-up.
    pub seconds: f64,
    pub formula: String,
    /// Values at the points, as `p/q` or decimal numbers; else the reason why there is none.
    pub values: Vec<String>,
}

/// Reason for a missing reply.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Silence {
    TimedOut,
    Failed(String),
}

/// A running peer.
pub struct Peer {
    program: &'static Program,
    session: Session,
    pub version: String,
}

struct Session {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

impl Peer {
    /// Starts a program.
    ///
    /// # Errors
    /// Fails if the peer cannot be used, for example if it is not installed.
    pub fn start(program: &'static Program) -> Result<Peer, String> {
        let (session, version) = Session::start(program)?;
        Ok(Peer {
            program,
            session,
            version,
        })
    }

    /// Asks for the closed form of a sum. A peer that does not answer in time is restarted.
    ///
    /// # Errors
    /// Fails if there is no answer.
    pub fn ask(&mut self, request: &str) -> Result<Reply, Silence> {
        let failed = |reason: &str| Silence::Failed(reason.to_string());
        match self.session.exchange(request, LIMIT) {
            Ok(line) => serde_json::from_str(&line).map_err(|_| Silence::Failed(line)),
            Err(RecvTimeoutError::Timeout) => {
                self.restart();
                Err(Silence::TimedOut)
            }
            Err(RecvTimeoutError::Disconnected) => {
                self.restart();
                Err(failed("the process ended"))
            }
        }
    }

    fn restart(&mut self) {
        // If the restart fails, the next question reports it.
        if let Ok((session, _)) = Session::start(self.program) {
            self.session = session;
        }
    }
}

impl Session {
    /// A session that has answered with its version.
    fn start(program: &Program) -> Result<(Session, String), String> {
        let (name, arguments) = program.command.split_first().ok_or("no command")?;
        let mut command = Command::new(name);
        command.args(arguments);
        if program.driver_is_argument {
            command.arg(program.driver);
        }
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("`{name}` does not start: {error}"))?;
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let (Some(input), Some(output)) = (input, output) else {
            return Err(format!("`{name}` has no input or no output"));
        };
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let mut session = Session {
            child,
            input,
            lines,
        };
        let first = if program.driver_is_argument {
            ""
        } else {
            program.driver
        };
        let version = session.exchange(first, START_LIMIT).map_err(|_| {
            let needs = program.needs;
            format!(
                "`{name}` starts but does not answer: {} takes {needs}",
                program.title
            )
        })?;
        Ok((session, version))
    }

    /// The next marked line after a request.
    fn exchange(&mut self, request: &str, limit: Duration) -> Result<String, RecvTimeoutError> {
        let sent = writeln!(self.input, "{request}").and_then(|()| self.input.flush());
        if sent.is_err() {
            return Err(RecvTimeoutError::Disconnected);
        }
        let end = Instant::now() + limit;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            let line = self.lines.recv_timeout(left)?;
            if let Some(answer) = line.strip_prefix(MARK) {
                return Ok(answer.trim().to_string());
            }
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
