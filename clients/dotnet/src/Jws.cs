using System;
using System.Collections.Generic;
using System.Text;

namespace LicencePortal
{
    /// <summary>Public keys by kid. Each value is x and y in base64url, joined with a dot.</summary>
    internal sealed class KeySet : Dictionary<string, string>
    {
        /// <summary>Returns the P-256 keys of a JWK set, or an empty set if the text is something else.</summary>
        public static KeySet FromJwks(JsonObject jwks)
        {
            var keys = new KeySet();
            foreach (var key in jwks?.Objects("keys") ?? new JsonObject[0])
                if (key.Text("kty") == "EC" && key.Text("crv") == "P-256" && key.Text("kid") != null && key.Text("x") != null && key.Text("y") != null)
                    keys[key.Text("kid")] = key.Text("x") + "." + key.Text("y");
            return keys;
        }
    }

    /// <summary>Reads signed texts: proofs, licence files and update manifests (RFC 7515, compact).</summary>
    internal static class Jws
    {
        /// <summary>Returns the payload, or null if the type, the key, the algorithm or the signature is wrong.</summary>
        public static JsonObject Read(string jws, string type, Func<string, string> findKey)
        {
            var parts = (jws ?? "").Split('.');
            if (parts.Length != 3) return null;
            var header = Decode(parts[0]);
            // The header only selects the key. Sessions are signed with the same keys, so the type decides, too.
            if (header?.Text("alg") != "ES256" || header.Text("typ") != type || header.Text("kid") == null) return null;
            var point = findKey(header.Text("kid"))?.Split('.');
            if (point?.Length != 2) return null;
            byte[] signature = TryDecode(parts[2]), x = TryDecode(point[0]), y = TryDecode(point[1]);
            if (signature == null || x == null || y == null) return null;
            return P256.IsSigned(Encoding.ASCII.GetBytes(parts[0] + "." + parts[1]), signature, x, y) ? Decode(parts[1]) : null;
        }

        public static string GetKid(string jws) => Decode((jws ?? "").Split('.')[0])?.Text("kid");

        static JsonObject Decode(string part)
        {
            var bytes = TryDecode(part);
            return bytes == null ? null : Json.TryParseObject(Encoding.UTF8.GetString(bytes));
        }

        static byte[] TryDecode(string base64Url)
        {
            var text = base64Url.Replace('-', '+').Replace('_', '/');
            try { return Convert.FromBase64String(text.PadRight(text.Length + (4 - text.Length % 4) % 4, '=')); }
            catch (FormatException) { return null; }
        }
    }

    /// <summary>The verified content of a proof or licence file.</summary>
    internal sealed class SignedAnswer
    {
        public JsonObject Data { get; private set; }
        public string Jws { get; private set; }
        public string Nonce { get; private set; }
        public string Fingerprint { get; private set; }
        public DateTime IssuedAt { get; private set; }
        public DateTime ExpiresAt { get; private set; }
        public int ResultCode { get; private set; }

        public bool IsValid => Data.IsTrue("valid");
        /// <summary>True if the device may run. A concurrent licence also needs a seat.</summary>
        public bool PermitsRunning => IsValid && ResultCode == 1 && Data.Object("licence") != null && GraceUntil != null;
        public DateTime? GraceUntil => Data.Time("graceUntilUtc");
        public JsonObject Lease => Data.Object("lease");
        public IReadOnlyList<string> Warnings => Data.Texts("warnings") ?? new List<string>();

        public bool NeedsSeat
        {
            get
            {
                var kind = Data.Object("licence")?.Integer("licenceActivationType");
                return kind == 1 || kind == 2;
            }
        }

        /// <summary>Returns null if the text isn't a genuine answer of this type with every required field.</summary>
        public static SignedAnswer Read(string jws, string type, Func<string, string> findKey)
        {
            var payload = LicencePortal.Jws.Read(jws, type, findKey);
            var data = payload?.Object("data");
            var code = data?.Integer("resultCode");
            if (code == null || data.Time("serverTimeUtc") == null || data.Text("message") == null) return null;
            if (payload.Text("nonce") == null || payload.Text("fingerprint") == null) return null;
            if (!(payload.Integer("iat") is long issued) || !(payload.Integer("exp") is long expires)) return null;
            return new SignedAnswer
            {
                Data = data, Jws = jws, ResultCode = (int)code.Value, Nonce = payload.Text("nonce"),
                Fingerprint = payload.Text("fingerprint"), IssuedAt = FromUnix(issued), ExpiresAt = FromUnix(expires),
            };
        }

        internal static DateTime FromUnix(long seconds) =>
            seconds < 0 || seconds > 253402300799 ? DateTime.MinValue : new DateTime(1970, 1, 1, 0, 0, 0, DateTimeKind.Utc).AddSeconds(seconds);
    }
}
