using System;
using System.Net.Http;
using System.Threading;
using System.Threading.Tasks;

namespace LicencePortal
{
    public sealed partial class LicenceClient
    {
        /// <summary>Signs in instead of typing a code (RFC 8628): shows a code, then polls until the customer has decided in the
        /// browser or the code expires.</summary>
        /// <param name="show">Receives the code to show in large type and the page to open. Called on a background thread.</param>
        /// <param name="cancel">Stops waiting.</param>
        public Task<SignInProgress> SignInAsync(Action<SignIn> show, CancellationToken cancel = default(CancellationToken)) => ValueAsync(async () =>
        {
            var progress = await BeginNowAsync(cancel).ConfigureAwait(false);
            if (progress.SignIn != null) show?.Invoke(progress.SignIn);
            while (progress.SignIn != null && progress.State == SignInState.Waiting)
            {
                await settings.Wait(progress.SignIn.Interval, cancel).ConfigureAwait(false);
                progress = await PollNowAsync(progress.SignIn, cancel).ConfigureAwait(false);
            }
            return progress;
        });

        /// <summary>Starts signing in. <see cref="SignInProgress.SignIn"/> is null without an answer.</summary>
        public Task<SignInProgress> BeginSignInAsync(CancellationToken cancel = default(CancellationToken)) => ValueAsync(() => BeginNowAsync(cancel));

        /// <summary>Polls once for the customer's decision. Call it <see cref="SignIn.Interval"/> after the last poll.</summary>
        public Task<SignInProgress> PollSignInAsync(SignIn signIn, CancellationToken cancel = default(CancellationToken)) =>
            ValueAsync(() => PollNowAsync(signIn, cancel));

        async Task<SignInProgress> BeginNowAsync(CancellationToken cancel)
        {
            var body = CommonBody(null, NewNonce());
            body["clientId"] = "addin";
            var http = await transport.SendAsync(HttpMethod.Post, "/v1/licence/device-authorization", body, cancel).ConfigureAwait(false);
            if (http.Unanswered != Unanswered.None) return new SignInProgress { Unanswered = http.Unanswered };
            if (http.Status == 400) return new SignInProgress { Unanswered = Unanswered.Rejected };
            var signIn = http.Status == 200 ? ReadSignIn(http.Json) : null;
            return signIn == null ? new SignInProgress { Unanswered = Unanswered.Garbage } : new SignInProgress { SignIn = signIn };
        }

        SignIn ReadSignIn(JsonObject json)
        {
            string deviceCode = json.Text("device_code"), userCode = json.Text("user_code"), page = json.Text("verification_uri_complete");
            long? interval = json.Integer("interval"), expires = json.Integer("expires_in");
            // Only a web page may be opened: a file or a program's address would run it.
            if (deviceCode == null || userCode == null || interval == null || expires == null || !IsWebAddress(page)) return null;
            return new SignIn(deviceCode, userCode, new Uri(page), TimeSpan.FromSeconds(interval.Value), settings.Now().AddSeconds(expires.Value));
        }

        async Task<SignInProgress> PollNowAsync(SignIn signIn, CancellationToken cancel)
        {
            var outcome = await CallAsync("device-authorization/token", null, new JsonObject { { "device_code", signIn.DeviceCode } }, cancel).ConfigureAwait(false);
            if (outcome.Answer != null)
            {
                // A refusal names no code, so it says nothing about the current licence.
                var decision = Complete(Settle(outcome, outcome.Answer.Data.Text("licenceCode") ?? ""));
                return new SignInProgress { State = SignInState.Answered, SignIn = signIn, Decision = decision };
            }
            switch (outcome.Error)
            {
                case "authorization_pending": return new SignInProgress { SignIn = signIn };
                case "slow_down": return new SignInProgress { SignIn = signIn.Slower() };
                case "access_denied": return new SignInProgress { State = SignInState.Denied, SignIn = signIn };
                case "expired_token": return new SignInProgress { State = SignInState.Expired, SignIn = signIn };
                case "invalid_grant": return new SignInProgress { State = SignInState.Unknown, SignIn = signIn };
            }
            // Without a response it continues, because a repeated poll gets the same answer.
            var hasEnded = settings.Now() >= signIn.Ends;
            return new SignInProgress { State = hasEnded ? SignInState.Expired : SignInState.Waiting, SignIn = signIn, Unanswered = outcome.Unanswered };
        }
    }

    /// <summary>State of signing in.</summary>
    public enum SignInState
    {
        /// <summary>The customer hasn't decided, or the portal can't be reached.</summary>
        Waiting,
        /// <summary><see cref="SignInProgress.Decision"/> has the result. After a refusal, the customer may choose again: poll again.</summary>
        Answered,
        /// <summary>The customer refused.</summary>
        Denied,
        /// <summary>The code expired. Offer to start again.</summary>
        Expired,
        /// <summary>The portal doesn't know the code. Offer to start again.</summary>
        Unknown,
    }

    /// <summary>A code that the customer confirms in the browser. It exists only in memory.</summary>
    public sealed class SignIn
    {
        internal SignIn(string deviceCode, string userCode, Uri page, TimeSpan interval, DateTime ends)
        {
            DeviceCode = deviceCode;
            UserCode = userCode;
            Page = page;
            Interval = interval;
            Ends = ends;
        }

        internal string DeviceCode { get; }
        /// <summary>Code to show in large type, with 'Only enter it if you started this'.</summary>
        public string UserCode { get; }
        /// <summary>Page to open in the browser. It contains the code.</summary>
        public Uri Page { get; }
        /// <summary>Time to wait before each poll.</summary>
        public TimeSpan Interval { get; }
        /// <summary>End by this device's clock, in UTC.</summary>
        public DateTime Ends { get; }

        /// <summary>RFC 8628 §3.5 adds 5 seconds after a poll that came too early.</summary>
        internal SignIn Slower() => new SignIn(DeviceCode, UserCode, Page, Interval + TimeSpan.FromSeconds(5), Ends);
    }

    /// <summary>Progress of signing in.</summary>
    public sealed class SignInProgress
    {
        internal SignInProgress() { }
        /// <summary>State.</summary>
        public SignInState State { get; internal set; }
        /// <summary>The code, with the interval for the next poll. Null if signing in couldn't start.</summary>
        public SignIn SignIn { get; internal set; }
        /// <summary>Result of the activation, once answered.</summary>
        public Decision Decision { get; internal set; }
        /// <summary>Why there was no answer.</summary>
        public Unanswered Unanswered { get; internal set; }
    }
}
