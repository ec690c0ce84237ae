using System;
using System.Diagnostics;
using System.Globalization;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace LicencePortal
{
    public sealed partial class LicenceClient
    {
        /// <summary>Takes a seat of a concurrent licence, or the same seat again after a crash. Programs of one user that use the
        /// same folder share one seat. On a licence without seats it only checks the licence.</summary>
        /// <param name="borrowHours">Borrows the seat for this many hours (1 to 24) of work without a network. The licence may
        /// allow fewer; <see cref="Decision.Until"/> has the result.</param>
        /// <param name="cancel">Cancels the request.</param>
        public Task<Decision> TakeSeatAsync(int borrowHours = 0, CancellationToken cancel = default(CancellationToken)) =>
            DecideAsync(async () =>
            {
                // Stored before it is sent, so that two programs that start together ask for the same seat.
                var state = store.Update(one =>
                {
                    if (one.LicenceCode == null || one.MachineToken == null) return;
                    one.Seat = one.Seat ?? new StoredSeat { SessionId = Guid.NewGuid().ToString("N") };
                    one.Seat.Holders = one.Seat.Holders.Where(RunningProgram.IsOther).Concat(new[] { RunningProgram.Id }).ToList();
                });
                if (state.Seat == null || state.MachineToken == null) return Stored(new Outcome());
                var more = new JsonObject { { "machineToken", state.MachineToken }, { "sessionId", state.Seat.SessionId } };
                if (borrowHours > 0) more["borrowHours"] = borrowHours;
                var outcome = await CallAsync("lease", state.LicenceCode, more, cancel).ConfigureAwait(false);
                var decision = await FollowAsync(outcome, state.Seat.SessionId, cancel).ConfigureAwait(false);
                if (borrowHours > 0 && decision.Reason == Reason.Answered && decision.Seat != null) RememberBorrowing(decision.Seat);
                return decision;
            });

        /// <summary>Renews the seat and checks the licence. Call it every <see cref="Seat.HeartbeatInterval"/>.</summary>
        public Task<Decision> RenewSeatAsync(CancellationToken cancel = default(CancellationToken)) =>
            DecideAsync(async () =>
            {
                var state = store.Read();
                if (state.LicenceCode == null || state.MachineToken == null) return Stored(new Outcome());
                if (state.Seat?.Id == null) return new Decision { Reason = Reason.SeatNeeded };
                var more = new JsonObject { { "machineToken", state.MachineToken }, { "leaseId", state.Seat.Id } };
                var outcome = await CallAsync("heartbeat", state.LicenceCode, more, cancel).ConfigureAwait(false);
                return await FollowAsync(outcome, state.Seat.SessionId, cancel).ConfigureAwait(false);
            });

        /// <summary>Releases the seat, also a borrowed one, unless another program of the user still runs. Without an answer the
        /// seat lapses.</summary>
        public Task<PortalAnswer> ReleaseSeatAsync(CancellationToken cancel = default(CancellationToken)) => ReleaseAsync(true, cancel);

        /// <summary>A licence may refuse borrowing and give an ordinary seat, which lasts two heartbeats.</summary>
        void RememberBorrowing(Seat seat) => store.Update(state =>
        {
            var ordinaryEnd = settings.Now() + state.ClockOffset + seat.HeartbeatInterval + seat.HeartbeatInterval + TimeSpan.FromMinutes(1);
            if (state.Seat != null) state.Seat.IsBorrowed = seat.Expires > ordinaryEnd;
        });

        internal Task<PortalAnswer> ReleaseAsync(bool includesBorrowed, CancellationToken cancel) =>
            AnswerAsync(async () =>
            {
                StoredSeat released = null;
                var state = store.Update(one =>
                {
                    if (one.Seat == null) return;
                    one.Seat.Holders = one.Seat.Holders.Where(RunningProgram.IsOther).ToList();
                    if (one.Seat.Holders.Count > 0 || (one.Seat.IsBorrowed && !includesBorrowed)) return;
                    released = one.Seat;
                    one.Seat = null;
                });
                if (released?.Id == null || state.MachineToken == null) return new Outcome();
                var more = new JsonObject { { "machineToken", state.MachineToken }, { "leaseId", released.Id } };
                return await CallAsync("release", state.LicenceCode, more, cancel).ConfigureAwait(false);
            });
    }

    /// <summary>Identifies running programs by process ID and start, because IDs are reused.</summary>
    internal static class RunningProgram
    {
        public static readonly string Id = Describe(Process.GetCurrentProcess());

        /// <summary>Returns whether an ID belongs to another program that still runs.</summary>
        public static bool IsOther(string id)
        {
            if (id == Id) return false;
            try
            {
                var parts = id.Split(':');
                using (var process = Process.GetProcessById(int.Parse(parts[0], CultureInfo.InvariantCulture)))
                    // Mono computes the start with an error of some milliseconds.
                    return Math.Abs(GetStart(process) - long.Parse(parts[1], CultureInfo.InvariantCulture)) <= 2;
            }
            catch (Exception) { return false; }
        }

        static string Describe(Process process) =>
            process.Id.ToString(CultureInfo.InvariantCulture) + ":" + GetStart(process).ToString(CultureInfo.InvariantCulture);

        /// <summary>Returns the start of a process in whole seconds.</summary>
        static long GetStart(Process process) => process.StartTime.ToUniversalTime().Ticks / TimeSpan.TicksPerSecond;
    }
}
