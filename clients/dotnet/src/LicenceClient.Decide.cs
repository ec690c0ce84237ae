using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace LicencePortal
{
    public sealed partial class LicenceClient
    {
        /// <summary>How far network time may set the clock back without raising suspicion.</summary>
        static readonly TimeSpan Tolerance = TimeSpan.FromMinutes(5);
        /// <summary>Refusals after which this device is not activated on the licence.</summary>
        static readonly int[] NoPlace = { 21, 23 };
        /// <summary>Refusals that concern only a seat.</summary>
        static readonly int[] NoSeat = { 30, 31, 32 };
        /// <summary>Answers that change nothing, such as a refused deactivation or an unlicensed feature.</summary>
        static readonly int[] Harmless = { 1, 3, 25, 50 };

        /// <summary>Processes the answer to an activation.</summary>
        Decision Settle(Outcome outcome, string licenceCode)
        {
            var answer = outcome.Answer;
            var token = answer.Data.Text("machineToken");
            Decision decision = null;
            store.Update(state =>
            {
                if (!IsSameCode(licenceCode, state.LicenceCode))
                {
                    // A refusal of another code says nothing about the current licence.
                    if (token == null) { decision = Refuse(answer); return; }
                    state.ForgetDevice();
                }
                if (token != null) { state.LicenceCode = licenceCode; state.MachineToken = token; }
                decision = Obey(state, answer, null);
            });
            return decision;
        }

        /// <summary>Processes the answer to a call of an activated device.</summary>
        async Task<Decision> FollowAsync(Outcome outcome, string sessionId, CancellationToken cancel)
        {
            // A repeated activation returns the same device and token. Anyone could send a 401, so keep everything until the
            // portal has answered.
            if (outcome.Unanswered == Unanswered.UnknownToken) return await ActivateNowAsync(outcome.SentCode, null, cancel).ConfigureAwait(false);
            if (outcome.Answer == null) return Stored(outcome);
            Decision decision = null;
            return Change(outcome, state => decision = Obey(state, outcome.Answer, sessionId)) ? decision : Stored(new Outcome());
        }

        /// <summary>Changes the state as an answer requires, unless another program has activated another licence since. Returns
        /// whether it did.</summary>
        bool Change(Outcome outcome, Action<State> change)
        {
            var isCurrent = false;
            store.Update(state =>
            {
                isCurrent = state.LicenceCode == outcome.SentCode && state.MachineToken == outcome.SentToken;
                if (isCurrent) change(state);
            });
            return isCurrent;
        }

        Decision Obey(State state, SignedAnswer answer, string sessionId)
        {
            if (!answer.PermitsRunning)
            {
                Forget(state, answer.ResultCode);
                return Refuse(answer);
            }
            if (answer.Lease != null && sessionId != null)
            {
                state.Seat = state.Seat ?? new StoredSeat();
                state.Seat.Id = answer.Lease.Text("id");
                state.Seat.SessionId = sessionId;
                state.Seat.Proof = answer.Jws;
                return Run(Reason.Answered, answer);
            }
            state.Proof = answer.Jws;
            if (!answer.NeedsSeat)
            {
                state.Seat = null;
                return Run(Reason.Answered, answer);
            }
            // The licence is valid. Whether this device may run depends on its seat, whose proof the new one doesn't replace.
            var kept = Decide(state, Unanswered.None);
            if (!kept.CanRun) kept = Describe(new Decision { Reason = Reason.SeatNeeded }, answer);
            else kept.Reason = Reason.Answered;
            kept.ResultCode = answer.ResultCode;
            kept.Warnings = answer.Warnings;
            kept.CheckAfter = answer.Data.Time("validateAfterUtc");
            return kept;
        }

        /// <summary>Ends the grace period after a refusal, so that unplugging the network doesn't help.</summary>
        static void Forget(State state, int resultCode)
        {
            if (Harmless.Contains(resultCode)) return;
            if (NoSeat.Contains(resultCode)) state.Seat = null;
            else if (NoPlace.Contains(resultCode)) state.ForgetDevice();
            else { state.Proof = state.LicenceFile = null; state.Seat = null; }
        }

        /// <summary>Decides without an answer. Stores that time has passed if the add-in may run.</summary>
        Decision Stored(Outcome outcome)
        {
            var state = store.Read();
            var decision = Decide(state, outcome.Unanswered);
            decision.Faults = outcome.Faults;
            var now = settings.Now() + state.ClockOffset;
            if (decision.CanRun) store.Update(one => { if (now > one.LatestTrusted) one.LatestTrusted = now; });
            return decision;
        }

        /// <summary>Decides from the seat, then the newest proof, then the licence file.</summary>
        Decision Decide(State state, Unanswered unanswered)
        {
            var decisions = new List<Decision>();
            if (state.Seat?.Proof != null) decisions.Add(DecideFrom(state, state.Seat.Proof, "licence-proof", Reason.Grace));
            if (state.Proof != null) decisions.Add(DecideFrom(state, state.Proof, "licence-proof", Reason.Grace));
            if (state.LicenceFile != null) decisions.Add(DecideFrom(state, state.LicenceFile, "licence-file", Reason.LicenceFile));
            var decision = decisions.FirstOrDefault(one => one.CanRun) ?? decisions.FirstOrDefault()
                ?? new Decision { Reason = state.MachineToken == null ? Reason.NotActivated : Reason.NothingKept };
            decision.Unanswered = unanswered;
            return decision;
        }

        Decision DecideFrom(State state, string jws, string type, Reason reason)
        {
            var signed = ReadSigned(state, jws, type);
            if (signed == null || !signed.PermitsRunning) return new Decision { Reason = Reason.KeptForged };
            if (signed.Fingerprint != settings.DescribeDevice().Fingerprint) return new Decision { Reason = Reason.KeptForAnotherMachine };
            var now = settings.Now() + state.ClockOffset;
            if (now < state.LatestTrusted - Tolerance || now < signed.IssuedAt - Tolerance) return new Decision { Reason = Reason.ClockSetBack };
            if (now >= signed.ExpiresAt.AddSeconds(1) || now >= signed.GraceUntil) return new Decision { Reason = Reason.GraceEnded };
            if (signed.NeedsSeat && signed.Lease == null) return new Decision { Reason = Reason.SeatNeeded };
            return Run(reason, signed);
        }

        static Decision Refuse(SignedAnswer answer) => new Decision
        {
            Reason = Reason.Refused, ResultCode = answer.ResultCode, Warnings = answer.Warnings, OwnMessage = answer.Data.Text("message"),
        };

        static Decision Run(Reason reason, SignedAnswer answer) => Describe(new Decision
        {
            CanRun = true, Reason = reason, ResultCode = answer.ResultCode, Until = answer.GraceUntil, Warnings = answer.Warnings,
            Features = answer.Data.Object("licence").Texts("features") ?? Decision.Nothing,
        }, answer);

        static Decision Describe(Decision decision, SignedAnswer answer)
        {
            var licence = answer.Data.Object("licence");
            decision.CheckAfter = answer.Data.Time("validateAfterUtc");
            decision.LicenceExpires = licence.Time("expiryDateUtc");
            decision.ProductLevel = (int?)licence.Integer("productLevel");
            decision.Seat = answer.Lease == null ? null : new Seat(answer.Lease);
            return decision;
        }
    }
}
