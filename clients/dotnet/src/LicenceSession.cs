using System;
using System.Threading;
using System.Threading.Tasks;

namespace LicencePortal
{
    /// <summary>
    /// One run of the add-in: checks the licence, takes a seat where the licence has seats, renews it, checks again daily, reports
    /// usage, and releases the seat at the end. Create it at start-up and dispose it at shutdown.
    /// </summary>
    public sealed class LicenceSession : IDisposable
    {
        /// <summary>Without an answer, how soon to try again.</summary>
        static readonly TimeSpan RetryInterval = TimeSpan.FromMinutes(10);
        /// <summary>A host that closes doesn't wait longer. Without an answer the seat lapses.</summary>
        static readonly TimeSpan ExitLimit = TimeSpan.FromSeconds(3);

        readonly LicenceClient client;
        readonly SynchronizationContext context = SynchronizationContext.Current;
        readonly CancellationTokenSource ended = new CancellationTokenSource();
        readonly SemaphoreSlim oneAtATime = new SemaphoreSlim(1);
        readonly Timer timer;
        int isEnded;

        /// <summary>Creates a session. Events arrive on the thread that creates it, if that is a window's thread.</summary>
        public LicenceSession(LicenceClient client)
        {
            this.client = client ?? throw new ArgumentNullException(nameof(client));
            timer = new Timer(_ => { RefreshAsync(false); });
            // Office doesn't always tell an add-in that it ends.
            AppDomain.CurrentDomain.ProcessExit += EndWithProcess;
        }

        /// <summary>The newest decision. Null until <see cref="StartAsync"/> has decided.</summary>
        public Decision Decision { get; private set; }

        /// <summary>Raised after each check, with the newest decision. Enable or disable the add-in, and show its message and
        /// warnings.</summary>
        public event EventHandler<Decision> Checked;

        /// <summary>Checks the licence, takes a seat if needed, and starts the timers. Repeat it after an activation.</summary>
        public Task<Decision> StartAsync() => RefreshAsync(true);

        /// <summary>Takes another seat after results 30, 31 or 32, when the user wants to.</summary>
        public Task<Decision> TakeSeatAsync(int borrowHours = 0) => RunAsync(() => client.TakeSeatAsync(borrowHours, ended.Token));

        /// <summary>Call it when the device wakes up: time has passed without heartbeats.</summary>
        public Task<Decision> ResumeAsync() => RefreshAsync(false);

        Task<Decision> RefreshAsync(bool isStart) => RunAsync(async () =>
        {
            // A lost seat is the user's to take again, so the timer only renews a seat that this device has.
            var decision = await client.CheckAsync(null, ended.Token).ConfigureAwait(false);
            if (decision.Seat != null && decision.Unanswered == Unanswered.None) decision = await client.RenewSeatAsync(ended.Token).ConfigureAwait(false);
            else if (decision.Reason == Reason.SeatNeeded && (isStart || Decision == null || Decision.Reason != Reason.Refused)) decision = await client.TakeSeatAsync(0, ended.Token).ConfigureAwait(false);
            if (decision.Unanswered == Unanswered.None) await client.ReportUsageAsync(ended.Token).ConfigureAwait(false);
            return decision;
        });

        async Task<Decision> RunAsync(Func<Task<Decision>> work)
        {
            try
            {
                await oneAtATime.WaitAsync(ended.Token).ConfigureAwait(false);
                try
                {
                    var decision = await work().ConfigureAwait(false);
                    if (isEnded != 0) return decision;
                    Decision = decision;
                    timer.Change(client.GetDelay(decision, RetryInterval), Timeout.InfiniteTimeSpan);
                    Raise(decision);
                    return decision;
                }
                finally { oneAtATime.Release(); }
            }
            catch (Exception error)
            {
                // Disposed while it worked.
                client.Report("The session ended", error);
                return Decision ?? new Decision { Reason = Reason.NothingKept, Unanswered = Unanswered.Cancelled };
            }
        }

        void Raise(Decision decision)
        {
            SendOrPostCallback call = state =>
            {
                try { Checked?.Invoke(this, decision); }
                catch (Exception error) { client.Report("A handler of Checked failed", error); }
            };
            if (context != null) context.Post(call, null);
            else call(null);
        }

        void EndWithProcess(object sender, EventArgs arguments) => Dispose();

        /// <summary>Stops the timers and releases the seat, unless it is borrowed or another program of the user still runs. Waits up to 3
        /// seconds.</summary>
        public void Dispose()
        {
            if (Interlocked.Exchange(ref isEnded, 1) != 0) return;
            try
            {
                AppDomain.CurrentDomain.ProcessExit -= EndWithProcess;
                timer.Dispose();
                ended.Cancel();
                using (var limit = new CancellationTokenSource(ExitLimit)) client.ReleaseAsync(false, limit.Token).Wait(ExitLimit);
            }
            catch (Exception error) { client.Report("The seat couldn't be released", error); }
        }
    }

    public sealed partial class LicenceClient
    {
        internal void Report(string problem, Exception error) => settings.Report(problem, error);

        /// <summary>Returns when to check again: at the next heartbeat, at the time the portal named, or soon without an answer. Never later
        /// than the end of what permits running.</summary>
        internal TimeSpan GetDelay(Decision decision, TimeSpan retry)
        {
            var now = settings.Now() + store.Read().ClockOffset;
            var delay = decision.Unanswered != Unanswered.None ? retry
                : decision.Seat != null ? decision.Seat.HeartbeatInterval
                : decision.CheckAfter is DateTime due && due > now ? due - now : TimeSpan.FromDays(1);
            if (decision.CanRun && decision.Until is DateTime until && until - now < delay) delay = until - now;
            var shortest = TimeSpan.FromSeconds(30);
            return delay < shortest ? shortest : delay > TimeSpan.FromDays(1) ? TimeSpan.FromDays(1) : delay;
        }
    }
}
