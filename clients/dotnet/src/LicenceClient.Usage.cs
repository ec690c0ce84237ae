using System;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace LicencePortal
{
    public sealed partial class LicenceClient
    {
        const int BatchSize = 500;

        /// <summary>Stores a conversion before it happens, so that a crash loses nothing. Returns its ID, or null if this device isn't
        /// activated. It belongs to the licence that is active now.</summary>
        public Task<string> RecordUsageAsync() => ValueAsync(() =>
        {
            string id = null;
            store.Update(state =>
            {
                if (state.LicenceCode == null) return;
                id = Guid.NewGuid().ToString("N");
                // Until it is sent, the device's clock may be corrected, so store the portal's time.
                var at = (settings.Now() + state.ClockOffset).ToString("yyyy-MM-dd'T'HH:mm:ss.fff'Z'", System.Globalization.CultureInfo.InvariantCulture);
                state.Usage.Add(new UsageEvent { LicenceCode = state.LicenceCode, Id = id, AtUtc = at });
            });
            return Task.FromResult(id);
        });

        /// <summary>Reports all stored conversions. Each counts once, however often it is sent. What isn't confirmed waits for the next
        /// report.</summary>
        public Task<UsageReport> ReportUsageAsync(CancellationToken cancel = default(CancellationToken)) => ValueAsync(() => ReportNowAsync(cancel));

        async Task<UsageReport> ReportNowAsync(CancellationToken cancel)
        {
            var reported = 0;
            Outcome outcome = null;
            while (true)
            {
                var state = store.Read();
                var events = state.Usage.Where(one => IsSameCode(one.LicenceCode, state.LicenceCode)).Take(BatchSize).ToList();
                if (state.MachineToken == null || events.Count == 0) break;
                var more = new JsonObject
                {
                    { "machineToken", state.MachineToken },
                    { "events", events.Select(one => new JsonObject { { "id", one.Id }, { "kind", "conversion" }, { "atUtc", one.AtUtc } }).ToList() },
                };
                outcome = await CallAsync("usage", state.LicenceCode, more, cancel).ConfigureAwait(false);
                if (outcome.Answer != null) Change(outcome, now => Forget(now, outcome.Answer.ResultCode));
                // Only an answer that names the device means that the conversions are recorded.
                if (outcome.Answer?.Data.Object("machine") == null) break;
                var sent = events.Select(one => one.Id).ToList();
                store.Update(now => now.Usage.RemoveAll(one => sent.Contains(one.Id)));
                reported += sent.Count;
            }
            return new UsageReport
            {
                Reported = reported, Waiting = store.Read().Usage.Count, Remaining = (int?)outcome?.Answer?.Data.Integer("usageRemaining"),
                ResultCode = outcome?.Answer?.ResultCode ?? 0, Unanswered = outcome?.Unanswered ?? Unanswered.None,
            };
        }

        async Task<T> ValueAsync<T>(Func<Task<T>> work) where T : class
        {
            try { return await Task.Run(work).ConfigureAwait(false); }
            catch (Exception error)
            {
                settings.Report("The request failed", error);
                return Failed<T>();
            }
        }

        static T Failed<T>() where T : class
        {
            object failed = typeof(T) == typeof(UsageReport) ? new UsageReport { Unanswered = Unanswered.Failed }
                : typeof(T) == typeof(SignInProgress) ? new SignInProgress { Unanswered = Unanswered.Failed }
                : typeof(T) == typeof(UpdateCheck) ? (object)new UpdateCheck { Unanswered = Unanswered.Failed } : null;
            return (T)failed;
        }
    }

    /// <summary>Result of a usage report.</summary>
    public sealed class UsageReport
    {
        internal UsageReport() { }
        /// <summary>Conversions that the portal recorded.</summary>
        public int Reported { get; internal set; }
        /// <summary>Conversions that wait for the next report.</summary>
        public int Waiting { get; internal set; }
        /// <summary>Conversions left, on a licence with a limit.</summary>
        public int? Remaining { get; internal set; }
        /// <summary>Result code; 41 means that the limit is reached. 0 without an answer.</summary>
        public int ResultCode { get; internal set; }
        /// <summary>Why there was no answer.</summary>
        public Unanswered Unanswered { get; internal set; }
    }
}
