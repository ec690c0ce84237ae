using System;
using System.Collections.Generic;
using System.Linq;
using System.Net.Http;
using System.Security.Cryptography;
using System.Threading;
using System.Threading.Tasks;

namespace LicencePortal
{
    /// <summary>A verified answer, or the reason that there is none.</summary>
    internal sealed class Outcome
    {
        public SignedAnswer Answer;
        public Unanswered Unanswered;
        /// <summary>The <c>error</c> of a sign-in that is pending or has ended.</summary>
        public string Error;
        public IReadOnlyDictionary<string, IReadOnlyList<string>> Faults = Decision.NoFaults;
        /// <summary>What was sent, because another program may have activated another licence since.</summary>
        public string SentCode, SentToken;
    }

    public sealed partial class LicenceClient
    {
        const string SandboxKid = "sandbox-";

        JsonObject CommonBody(string licenceCode, string nonce)
        {
            var body = new JsonObject
            {
                { "nonce", nonce }, { "clientTimeUtc", settings.Now().ToString("yyyy-MM-dd'T'HH:mm:ss.fff'Z'", System.Globalization.CultureInfo.InvariantCulture) },
                { "addInVersion", settings.AddInVersion }, { "hostVersion", settings.HostVersion }, { "machine", settings.DescribeDevice().ToJson() },
            };
            if (licenceCode != null) body["licenceCode"] = licenceCode;
            return body;
        }

        static string NewNonce()
        {
            var bytes = new byte[18];
            using (var random = RandomNumberGenerator.Create()) random.GetBytes(bytes);
            return Convert.ToBase64String(bytes).Replace('+', '-').Replace('/', '_');
        }

        /// <summary>Sends a request and accepts an answer only if its proof is for this request and this device.</summary>
        async Task<Outcome> CallAsync(string call, string licenceCode, JsonObject more, CancellationToken cancel)
        {
            var nonce = NewNonce();
            var body = CommonBody(licenceCode, nonce);
            foreach (var member in more) body[member.Key] = member.Value;
            var http = await transport.SendAsync(HttpMethod.Post, "/v1/licence/" + call, body, cancel).ConfigureAwait(false);
            var outcome = await VerifyAsync(http, nonce, ((JsonObject)body["machine"]).Text("fingerprint"), cancel).ConfigureAwait(false);
            outcome.SentCode = licenceCode;
            outcome.SentToken = more.Text("machineToken");
            return outcome;
        }

        async Task<Outcome> VerifyAsync(HttpAnswer http, string nonce, string fingerprint, CancellationToken cancel)
        {
            if (http.Unanswered != Unanswered.None) return new Outcome { Unanswered = http.Unanswered };
            if (http.Status == 401) return new Outcome { Unanswered = Unanswered.UnknownToken };
            if (http.Status == 400) return new Outcome { Unanswered = Unanswered.Rejected, Error = http.Json?.Text("error"), Faults = ReadFaults(http.Json) };
            var proof = http.Status == 200 ? http.Json?.Text("proof") : null;
            var data = http.Json?.Object("data");
            if (proof == null || data == null) return new Outcome { Unanswered = Unanswered.Garbage };

            var kid = Jws.GetKid(proof);
            if (kid != null && FindKey(store.Read(), kid) == null) await FetchKeysAsync(kid, cancel).ConfigureAwait(false);
            var signed = ReadSigned(store.Read(), proof, "licence-proof");
            if (signed == null || signed.Nonce != nonce || signed.Fingerprint != fingerprint || !Json.Equals(signed.Data, data))
                return new Outcome { Unanswered = Unanswered.Forged };
            var serverTime = signed.Data.Time("serverTimeUtc").Value;
            store.Update(state =>
            {
                state.ClockOffset = serverTime - settings.Now();
                state.LatestTrusted = serverTime;
            });
            return new Outcome { Answer = signed };
        }

        SignedAnswer ReadSigned(State state, string jws, string type) => SignedAnswer.Read(jws, type, kid => FindKey(state, kid));

        /// <summary>Returns a shipped or fetched key, or null. Released add-ins don't trust the sandbox's keys.</summary>
        string FindKey(State state, string kid)
        {
            if (kid.StartsWith(SandboxKid, StringComparison.Ordinal) && !settings.Sandbox) return null;
            return Shipped(settings.ShippedKeys).TryGetValue(kid, out var shipped) ? shipped
                : state.Keys.TryGetValue(kid, out var fetched) ? fetched : null;
        }

        static KeySet Shipped(string jwks) => KeySet.FromJwks(Json.TryParseObject(jwks));

        /// <summary>Fetches the keys that the portal publishes. A known key is never replaced under its kid, and one that is no
        /// longer published is deleted.</summary>
        async Task FetchKeysAsync(string kid, CancellationToken cancel)
        {
            var isSandbox = kid.StartsWith(SandboxKid, StringComparison.Ordinal);
            if (isSandbox && !settings.Sandbox) return;
            var path = isSandbox ? "/v1/licence/sandbox/signing-keys" : "/v1/licence/signing-keys";
            var http = await transport.SendAsync(HttpMethod.Get, path, null, cancel).ConfigureAwait(false);
            var published = http.Status == 200 ? KeySet.FromJwks(http.Json) : new KeySet();
            if (published.Count == 0) return;
            store.Update(state =>
            {
                Func<string, bool> isSameKind = one => one.StartsWith(SandboxKid, StringComparison.Ordinal) == isSandbox;
                foreach (var gone in state.Keys.Keys.Where(one => isSameKind(one) && !published.ContainsKey(one)).ToList()) state.Keys.Remove(gone);
                foreach (var key in published.Where(one => isSameKind(one.Key) && !state.Keys.ContainsKey(one.Key))) state.Keys[key.Key] = key.Value;
            });
        }

        static IReadOnlyDictionary<string, IReadOnlyList<string>> ReadFaults(JsonObject json)
        {
            var faults = new Dictionary<string, IReadOnlyList<string>>();
            foreach (var field in json?.Keys.ToList() ?? new List<string>())
                if (json.Texts(field) is List<string> messages) faults[field] = messages;
            return faults;
        }
    }
}
