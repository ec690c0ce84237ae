using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;
using System.Threading;
using System.Threading.Tasks;

namespace LicencePortal
{
    /// <summary>
    /// Activates this device, checks the licence, takes seats and reports usage. Every method can be called at any time, from any
    /// thread and by several programs of one user. None throws: a fault becomes a decision or an answer that says so. Nothing
    /// runs on the calling thread, but don't block it with <c>.Result</c>.
    /// </summary>
    /// <remarks><see cref="LicenceSession"/> runs the timers on top of it.</remarks>
    public sealed partial class LicenceClient
    {
        readonly LicenceSettings settings;
        readonly Transport transport;
        readonly StateStore store;

        /// <summary>Creates a client. Keep one for the life of the add-in.</summary>
        public LicenceClient(LicenceSettings settings)
        {
            this.settings = settings ?? new LicenceSettings();
            transport = new Transport(this.settings);
            store = new StateStore(this.settings);
        }

        /// <summary>Activates this device. Repeating it changes nothing and returns the same device.</summary>
        /// <param name="licenceCode">What the user typed. Case, spaces and dashes don't matter.</param>
        /// <param name="replaceDeviceId">A device to deactivate in the same step, from <see cref="ListDevicesAsync"/>.</param>
        /// <param name="cancel">Cancels the request.</param>
        /// <returns>Whether the add-in may run on this code. An older licence never permits it; <see cref="CheckAsync"/> tells
        /// whether that one still does.</returns>
        public Task<Decision> ActivateAsync(string licenceCode, string replaceDeviceId = null, CancellationToken cancel = default(CancellationToken)) =>
            DecideAsync(() => ActivateNowAsync(licenceCode, replaceDeviceId, cancel));

        /// <summary>Decides whether the add-in may run. Call it at every start, and after <see cref="Decision.CheckAfter"/>.</summary>
        /// <param name="features">What the user is about to use. A feature that isn't licensed leaves the rest running.</param>
        /// <param name="cancel">Cancels the request; the decision then follows from the last answer.</param>
        public Task<Decision> CheckAsync(IEnumerable<string> features = null, CancellationToken cancel = default(CancellationToken)) =>
            DecideAsync(() => CheckNowAsync(features?.ToList(), cancel));

        /// <summary>Deactivates this device after reporting its usage. It counts against the licence's yearly limit.</summary>
        public Task<PortalAnswer> DeactivateAsync(string reason, CancellationToken cancel = default(CancellationToken)) =>
            AnswerAsync(async () =>
            {
                await ReportNowAsync(cancel).ConfigureAwait(false);
                var state = store.Read();
                if (state.LicenceCode == null || state.MachineToken == null) return new Outcome { Unanswered = Unanswered.UnknownToken };
                var more = new JsonObject { { "machineToken", state.MachineToken }, { "reason", reason ?? "" } };
                var outcome = await CallAsync("deactivate", state.LicenceCode, more, cancel).ConfigureAwait(false);
                if (outcome.Answer != null)
                    Change(outcome, now => { if (outcome.Answer.IsValid) now.ForgetDevice(); else Forget(now, outcome.Answer.ResultCode); });
                return outcome;
            });

        /// <summary>Emails a code to the licence's owner, the first step of 'Move my licence here' after result 22.</summary>
        public Task<PortalAnswer> SendMoveCodeAsync(string licenceCode, CancellationToken cancel = default(CancellationToken)) =>
            AnswerAsync(() => CallAsync("move/code", licenceCode, new JsonObject(), cancel));

        /// <summary>Returns the licence's devices for an emailed code. To replace one, activate with its ID.</summary>
        public Task<PortalAnswer> ListDevicesAsync(string licenceCode, string emailCode, CancellationToken cancel = default(CancellationToken)) =>
            AnswerAsync(() => CallAsync("move/devices", licenceCode, new JsonObject { { "emailCode", emailCode ?? "" } }, cancel));

        async Task<Decision> ActivateNowAsync(string licenceCode, string replaceDeviceId, CancellationToken cancel)
        {
            var more = new JsonObject();
            if (replaceDeviceId != null) more["replaceMachineId"] = replaceDeviceId;
            var outcome = await CallAsync("activate", licenceCode, more, cancel).ConfigureAwait(false);
            if (outcome.Answer != null) return Settle(outcome, licenceCode);
            if (IsSameCode(licenceCode, store.Read().LicenceCode)) return Stored(outcome);
            return new Decision { Reason = Reason.NotActivated, Unanswered = outcome.Unanswered, Faults = outcome.Faults };
        }

        async Task<Decision> CheckNowAsync(List<string> features, CancellationToken cancel)
        {
            var state = store.Read();
            if (state.LicenceCode == null) return Stored(new Outcome());
            if (state.MachineToken == null)
                // A licence file brought no token, so get it once there is a network.
                return state.LicenceFile == null ? Stored(new Outcome()) : await ActivateNowAsync(state.LicenceCode, null, cancel).ConfigureAwait(false);
            var more = new JsonObject { { "machineToken", state.MachineToken } };
            if (features != null) more["features"] = features;
            var outcome = await CallAsync("validate", state.LicenceCode, more, cancel).ConfigureAwait(false);
            const int featureNotLicensed = 50;
            if (features != null && outcome.Answer?.ResultCode == featureNotLicensed) return await CheckNowAsync(null, cancel).ConfigureAwait(false);
            return await FollowAsync(outcome, null, cancel).ConfigureAwait(false);
        }

        /// <summary>Runs work in the background and completes its decision. A fault never reaches the caller.</summary>
        async Task<Decision> DecideAsync(Func<Task<Decision>> work)
        {
            Decision decision;
            try { decision = await Task.Run(work).ConfigureAwait(false); }
            catch (Exception error)
            {
                settings.Report("The licence can't be checked", error);
                try { decision = Stored(new Outcome { Unanswered = Unanswered.Failed }); }
                catch (Exception) { decision = new Decision { Reason = Reason.NothingKept, Unanswered = Unanswered.Failed }; }
            }
            return Complete(decision);
        }

        async Task<PortalAnswer> AnswerAsync(Func<Task<Outcome>> work)
        {
            try { return new PortalAnswer(await Task.Run(work).ConfigureAwait(false)); }
            catch (Exception error)
            {
                settings.Report("The request failed", error);
                return new PortalAnswer(new Outcome { Unanswered = Unanswered.Failed });
            }
        }

        Decision Complete(Decision decision)
        {
            decision.Offer = LicenceTexts.OfferFor(decision);
            decision.Message = LicenceTexts.Of(decision);
            try { decision.Message = settings.Text?.Invoke(decision) ?? decision.Message; }
            catch (Exception error) { settings.Report("Text failed", error); }
            return decision;
        }

        /// <summary>Returns whether two typings are the same code, as the portal reads them.</summary>
        static bool IsSameCode(string one, string other) => one != null && other != null && Normalise(one) == Normalise(other);

        /// <summary>Leaves out surrogates, because half a pair can't be normalised.</summary>
        static string Normalise(string code) => new string(new string(code.Where(one => !char.IsSurrogate(one)).ToArray())
            .Normalize(NormalizationForm.FormKC).ToUpperInvariant().Where(char.IsLetterOrDigit).ToArray())
            .Replace('O', '0').Replace('I', '1').Replace('L', '1');
    }

    /// <summary>An answer to a request that doesn't decide whether the add-in may run.</summary>
    public sealed class PortalAnswer
    {
        internal PortalAnswer(Outcome outcome)
        {
            var data = outcome.Answer?.Data;
            IsDone = outcome.Answer?.IsValid ?? false;
            ResultCode = outcome.Answer?.ResultCode ?? 0;
            Unanswered = outcome.Unanswered;
            Message = data?.Text("message") ?? LicenceTexts.Of(new Decision { Reason = Reason.NothingKept, Unanswered = outcome.Unanswered, Faults = outcome.Faults });
            DeactivationsRemaining = (int?)data?.Integer("deactivationsRemaining");
            Devices = (data?.Objects("machines") ?? new JsonObject[0])
                .Select(one => new LicenceDevice(one.Text("id"), one.Text("machineName"), one.Time("lastSeenUtc"))).ToList();
        }

        /// <summary>True if the portal did it.</summary>
        public bool IsDone { get; }
        /// <summary>Result code, or 0 without an answer.</summary>
        public int ResultCode { get; }
        /// <summary>Why there was no answer.</summary>
        public Unanswered Unanswered { get; }
        /// <summary>Text for the user.</summary>
        public string Message { get; }
        /// <summary>Deactivations left this year, if the answer has them.</summary>
        public int? DeactivationsRemaining { get; }
        /// <summary>Devices of the licence, from <see cref="LicenceClient.ListDevicesAsync"/>.</summary>
        public IReadOnlyList<LicenceDevice> Devices { get; }
    }

    /// <summary>A device that could be replaced by this one.</summary>
    public sealed class LicenceDevice
    {
        internal LicenceDevice(string id, string name, DateTime? lastSeen) { Id = id; Name = name; LastSeen = lastSeen; }
        /// <summary>ID for <see cref="LicenceClient.ActivateAsync"/>.</summary>
        public string Id { get; }
        /// <summary>Name to show.</summary>
        public string Name { get; }
        /// <summary>Last check, in UTC, if known.</summary>
        public DateTime? LastSeen { get; }
    }
}
