using System;
using System.Collections;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Net;
using System.Net.Http;
using System.Security.Cryptography;
using System.Text;
using System.Threading.Tasks;
using System.Web.Script.Serialization;
using Json = System.Collections.Generic.Dictionary<string, object>;

/// <summary>State stored between runs.</summary>
public sealed class LicenceState
{
    public string LicenceCode, MachineToken, Proof;
    /// <summary>Shipped and fetched keys by kid: x and y, joined with a dot.</summary>
    public Dictionary<string, string> Keys = new Dictionary<string, string>();
    public long ClockOffsetTicks, LatestTrustedTicks;
}

/// <summary>Stores the state with DPAPI for the current user. Each user activates separately and gets the same token. With
/// LocalMachine, protect the folder, because every program on the device can decrypt the file.</summary>
public static class LicenceStore
{
    // This folder doesn't roam.
    static readonly string Folder = Path.Combine(
        Environment.GetFolderPath(Environment.SpecialFolder.LocalApplicationData), "Planvarro Software", "Licence");
    static readonly string StateFile = Path.Combine(Folder, "state.bin");
    static readonly byte[] Purpose = Encoding.ASCII.GetBytes("xer-licence-state-1");

    /// <summary>Returns an empty state if the file is missing or unreadable.</summary>
    public static LicenceState Read()
    {
        try
        {
            var bytes = ProtectedData.Unprotect(File.ReadAllBytes(StateFile), Purpose, DataProtectionScope.CurrentUser);
            return new JavaScriptSerializer().Deserialize<LicenceState>(Encoding.UTF8.GetString(bytes)) ?? new LicenceState();
        }
        catch (Exception error) when (Proof.IsExpected(error)) { return new LicenceState(); }
    }

    public static void Write(LicenceState state)
    {
        Directory.CreateDirectory(Folder);
        var bytes = Encoding.UTF8.GetBytes(new JavaScriptSerializer().Serialize(state));
        var part = StateFile + ".part";
        File.WriteAllBytes(part, ProtectedData.Protect(bytes, Purpose, DataProtectionScope.CurrentUser));
        // A crash leaves the old or the new state.
        if (File.Exists(StateFile)) File.Replace(part, StateFile, null); else File.Move(part, StateFile);
    }
}

public static class Proof
{
    /// <summary>Returns the payload, or null if the proof is invalid.</summary>
    public static Json Read(string jws, string type, IDictionary<string, string> keys)
    {
        try
        {
            var parts = (jws ?? "").Split('.');
            var header = Parse(parts[0]);
            if (parts.Length != 3 || Get<string>(header, "alg") != "ES256" || Get<string>(header, "typ") != type) return null;
            if (!keys.TryGetValue(Get<string>(header, "kid") ?? "", out var point)) return null;
            var xy = point.Split('.');
            return IsSignedBy(parts, FromBase64Url(xy[0]), FromBase64Url(xy[1])) ? Parse(parts[1]) : null;
        }
        catch (Exception error) when (IsExpected(error)) { return null; }
    }

    public static string GetKid(string jws)
    {
        try { return Get<string>(Parse(jws.Split('.')[0]), "kid") ?? ""; }
        catch (Exception error) when (IsExpected(error)) { return ""; }
    }

    static bool IsSignedBy(string[] parts, byte[] x, byte[] y)
    {
        var point = new ECParameters { Curve = ECCurve.NamedCurves.nistP256, Q = new ECPoint { X = x, Y = y } };
        using (var key = ECDsa.Create(point))
            return key.VerifyData(
                Encoding.ASCII.GetBytes(parts[0] + "." + parts[1]), FromBase64Url(parts[2]), HashAlgorithmName.SHA256);
    }

    public static T Get<T>(Json json, string name) where T : class =>
        json != null && json.TryGetValue(name, out var value) ? value as T : null;

    public static DateTime? GetTime(Json json, string name)
    {
        const DateTimeStyles utc = DateTimeStyles.AdjustToUniversal | DateTimeStyles.AssumeUniversal;
        return DateTime.TryParse(Get<string>(json, name), CultureInfo.InvariantCulture, utc, out var time)
            ? time : (DateTime?)null;
    }

    static Json Parse(string part) =>
        new JavaScriptSerializer().Deserialize<Json>(Encoding.UTF8.GetString(FromBase64Url(part)));

    static byte[] FromBase64Url(string text)
    {
        var padded = text.Replace('-', '+').Replace('_', '/');
        return Convert.FromBase64String(padded.PadRight(padded.Length + (4 - padded.Length % 4) % 4, '='));
    }

    /// <summary>Returns whether bad data, files or networks caused the exception.</summary>
    public static bool IsExpected(Exception error) =>
        error is FormatException || error is ArgumentException || error is InvalidOperationException
        || error is CryptographicException || error is IOException || error is UnauthorizedAccessException
        || error is HttpRequestException || error is TaskCanceledException;
}

public sealed class Decision
{
    public bool CanRun;
    public string Message;
    /// <summary>0 without a response.</summary>
    public int ResultCode;
}

public sealed class LicenceClient
{
    static readonly TimeSpan Tolerance = TimeSpan.FromMinutes(5);
    static readonly HttpClient Http = CreateHttp();
    readonly string fingerprint;
    readonly Func<Json> describeMachine;

    /// <summary>Hash serials of built-in hardware for the fingerprint and the components. Leave out blank ones and fillers of
    /// the firmware, such as "To be filled by O.E.M.", before hashing: they are the same on many machines.</summary>
    public LicenceClient(string fingerprint, Func<Json> describeMachine)
    {
        this.fingerprint = fingerprint;
        this.describeMachine = describeMachine;
    }

    static HttpClient CreateHttp()
    {
        // The default depends on Project. SystemDefault lets Windows choose.
        if (ServicePointManager.SecurityProtocol != SecurityProtocolType.SystemDefault)
            ServicePointManager.SecurityProtocol |= SecurityProtocolType.Tls12;
        var proxy = WebRequest.GetSystemWebProxy();
        proxy.Credentials = CredentialCache.DefaultCredentials;
        var handler = new HttpClientHandler
        {
            Proxy = proxy,
            AllowAutoRedirect = false,
            AutomaticDecompression = DecompressionMethods.GZip,
        };
        return new HttpClient(handler)
        {
            BaseAddress = new Uri("https://portal.example/"),
            Timeout = TimeSpan.FromSeconds(10),
            MaxResponseContentBufferSize = 256 * 1024,
        };
    }

    public async Task<Decision> Activate(string licenceCode)
    {
        var state = LicenceStore.Read();
        var response = await Call(state, "activate", licenceCode, null).ConfigureAwait(false);
        if (response == null) return DecideOffline(LicenceStore.Read());
        if (response.Error != null) return new Decision { Message = response.Error };
        var token = Proof.Get<string>(response.Data, "machineToken");
        if (token != null) { state.LicenceCode = licenceCode; state.MachineToken = token; state.Proof = null; }
        // The refusal of another code doesn't affect the current licence.
        else if (licenceCode != state.LicenceCode) return ToRefusal(response);
        return Apply(state, response);
    }

    /// <summary>Decides whether the add-in can run. Call it at every start, and once a day.</summary>
    public async Task<Decision> Start()
    {
        var state = LicenceStore.Read();
        if (state.LicenceCode == null || state.MachineToken == null)
            return new Decision { Message = "Please activate the add-in." };
        var token = new Json { { "machineToken", state.MachineToken } };
        var response = await Call(state, "validate", state.LicenceCode, token).ConfigureAwait(false);
        if (response != null && response.IsUnknownToken) return await Activate(state.LicenceCode).ConfigureAwait(false);
        return response?.Payload == null ? DecideOffline(state) : Apply(state, response);
    }

    sealed class Response
    {
        public bool IsUnknownToken;
        public string Error, Proof;
        public Json Payload;
        public Json Data => global::Proof.Get<Json>(Payload, "data");
    }

    /// <summary>Returns a response with a proof for this request and device, or null.</summary>
    async Task<Response> Call(LicenceState state, string call, string licenceCode, Json more)
    {
        var body = new Json
        {
            { "licenceCode", licenceCode }, { "nonce", Guid.NewGuid().ToString("N") },
            { "clientTimeUtc", DateTime.UtcNow.ToString("o") }, { "addInVersion", "7.2.0" },
            { "hostVersion", "16.0.17328" }, { "machine", describeMachine() },
        };
        foreach (var member in more ?? new Json()) body[member.Key] = member.Value;
        var (status, json) = await Send(HttpMethod.Post, "v1/licence/" + call, body).ConfigureAwait(false);
        // A proxy could return 401, so keep the state and activate again.
        if (status == HttpStatusCode.Unauthorized && call != "activate") return new Response { IsUnknownToken = true };
        if (status == HttpStatusCode.BadRequest) return new Response { Error = FirstMessage(json) };
        var proof = status == HttpStatusCode.OK ? Proof.Get<string>(json, "proof") : null;
        if (proof == null) return null;

        if (!state.Keys.ContainsKey(Proof.GetKid(proof))) await FetchKeys(state).ConfigureAwait(false);
        var response = new Response { Proof = proof, Payload = Proof.Read(proof, "licence-proof", state.Keys) };
        var serverTime = Proof.GetTime(response.Data, "serverTimeUtc");
        if (serverTime == null || Proof.Get<string>(response.Payload, "nonce") != (string)body["nonce"]
            || Proof.Get<string>(response.Payload, "fingerprint") != fingerprint) return null;
        state.ClockOffsetTicks = serverTime.Value.Ticks - DateTime.UtcNow.Ticks;
        state.LatestTrustedTicks = serverTime.Value.Ticks;
        LicenceStore.Write(state);
        return response;
    }

    static string FirstMessage(Json errors) =>
        errors.Values.OfType<IEnumerable>().SelectMany(list => list.OfType<string>()).FirstOrDefault()
        ?? "Please check what you typed.";

    async Task FetchKeys(LicenceState state)
    {
        var (status, json) = await Send(HttpMethod.Get, "v1/licence/signing-keys", null).ConfigureAwait(false);
        if (status != HttpStatusCode.OK) return;
        foreach (var key in (Proof.Get<IEnumerable>(json, "keys") ?? new object[0]).OfType<Json>())
        {
            var kid = Proof.Get<string>(key, "kid");
            if (kid != null && !state.Keys.ContainsKey(kid) && Proof.Get<string>(key, "crv") == "P-256")
                state.Keys[kid] = Proof.Get<string>(key, "x") + "." + Proof.Get<string>(key, "y");
        }
    }

    /// <summary>Returns default values without a JSON response.</summary>
    static async Task<(HttpStatusCode, Json)> Send(HttpMethod method, string path, Json body)
    {
        try
        {
            using (var request = new HttpRequestMessage(method, path))
            {
                var json = new JavaScriptSerializer();
                if (body != null) request.Content = new StringContent(json.Serialize(body), Encoding.UTF8, "application/json");
                using (var response = await Http.SendAsync(request).ConfigureAwait(false))
                {
                    var text = await response.Content.ReadAsStringAsync().ConfigureAwait(false);
                    var parsed = json.Deserialize<Json>(text);
                    return parsed == null ? default : (response.StatusCode, parsed);
                }
            }
        }
        catch (Exception error) when (Proof.IsExpected(error)) { return default; }
    }

    Decision Apply(LicenceState state, Response response)
    {
        if (IsAllowed(response.Data))
        {
            state.Proof = response.Proof;
            LicenceStore.Write(state);
            return LacksSeat(response.Data)
                ? new Decision { ResultCode = 1, Message = "Please take a seat." }
                : new Decision { CanRun = true, ResultCode = 1 };
        }
        var refusal = ToRefusal(response);
        // All other refusals end the grace.
        if (!new[] { 3, 25, 30, 31, 32, 50 }.Contains(refusal.ResultCode)) state.Proof = null;
        if (refusal.ResultCode == 21 || refusal.ResultCode == 23) state.MachineToken = null;
        LicenceStore.Write(state);
        return refusal;
    }

    static Decision ToRefusal(Response response) => new Decision
    {
        ResultCode = Convert.ToInt32(response.Data["resultCode"]),
        Message = Proof.Get<string>(response.Data, "message"),
    };

    /// <summary>Decides from the stored proof.</summary>
    Decision DecideOffline(LicenceState state)
    {
        var payload = Proof.Read(state.Proof, "licence-proof", state.Keys);
        var data = Proof.Get<Json>(payload, "data");
        if (!IsAllowed(data) || LacksSeat(data) || Proof.Get<string>(payload, "fingerprint") != fingerprint)
            return new Decision { Message = "Please connect to the internet once." };
        var now = DateTime.UtcNow.Ticks + state.ClockOffsetTicks;
        var issued = DateTimeOffset.FromUnixTimeSeconds(Convert.ToInt64(payload["iat"])).UtcTicks;
        if (now < Math.Max(state.LatestTrustedTicks, issued) - Tolerance.Ticks)
            return new Decision { Message = "This device's clock was set back. Please connect to the internet once." };
        if (now >= Proof.GetTime(data, "graceUntilUtc").Value.Ticks)
            return new Decision { Message = "The licence could not be checked for a while. Please connect to the internet." };
        state.LatestTrustedTicks = Math.Max(state.LatestTrustedTicks, now);
        LicenceStore.Write(state);
        return new Decision { CanRun = true };
    }

    static bool IsAllowed(Json data) =>
        data != null && data.TryGetValue("valid", out var valid) && true.Equals(valid)
        && Proof.Get<Json>(data, "licence") != null && Proof.GetTime(data, "graceUntilUtc") != null;

    static bool LacksSeat(Json data)
    {
        var activationType = Convert.ToInt32(Proof.Get<Json>(data, "licence")["licenceActivationType"]);
        return (activationType == 1 || activationType == 2) && Proof.Get<Json>(data, "lease") == null;
    }
}
