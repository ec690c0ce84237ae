using System;
using System.IO;
using System.Net;
using System.Net.Http;
using System.Text;
using System.Threading;
using System.Threading.Tasks;

namespace LicencePortal
{
    /// <summary>A response, or the reason that there is none.</summary>
    internal struct HttpAnswer
    {
        public int Status;
        public JsonObject Json;
        public Unanswered Unanswered;
        public TimeSpan? RetryAfter;
    }

    /// <summary>Sends requests to the portal. Never throws.</summary>
    internal sealed class Transport
    {
        const int MaxBytes = 256 * 1024;
        /// <summary>A user waits, so longer delays count as no answer.</summary>
        static readonly TimeSpan LongestWait = TimeSpan.FromSeconds(10);

        readonly LicenceSettings settings;
        readonly Lazy<HttpClient> http;

        public Transport(LicenceSettings settings)
        {
            this.settings = settings;
            http = new Lazy<HttpClient>(CreateHttp);
        }

        HttpClient CreateHttp()
        {
            // Office starts without a target framework, so its default can lack TLS 1.2. SystemDefault lets Windows choose.
            if (ServicePointManager.SecurityProtocol != 0) ServicePointManager.SecurityProtocol |= SecurityProtocolType.Tls12;
            var handler = new HttpClientHandler
            {
                AllowAutoRedirect = false, // A redirect could carry the token to a network's sign-in page.
                AutomaticDecompression = DecompressionMethods.GZip | DecompressionMethods.Deflate,
                UseCookies = false,
            };
            if (settings.Proxy != null) handler.Proxy = settings.Proxy;
            else handler.DefaultProxyCredentials = CredentialCache.DefaultCredentials;
            return new HttpClient(handler) { Timeout = Timeout.InfiniteTimeSpan };
        }

        /// <summary>Sends a request. Waits once as <c>Retry-After</c> requires, if that is short.</summary>
        public async Task<HttpAnswer> SendAsync(HttpMethod method, string path, JsonObject body, CancellationToken cancel)
        {
            var first = await SendOnceAsync(method, path, body, cancel).ConfigureAwait(false);
            if (first.RetryAfter == null || first.RetryAfter > LongestWait) return first;
            try { await settings.Wait(first.RetryAfter.Value, cancel).ConfigureAwait(false); }
            catch (OperationCanceledException) { return new HttpAnswer { Unanswered = Unanswered.Cancelled }; }
            return await SendOnceAsync(method, path, body, cancel).ConfigureAwait(false);
        }

        async Task<HttpAnswer> SendOnceAsync(HttpMethod method, string path, JsonObject body, CancellationToken cancel)
        {
            var hasHeaders = false;
            using (var limit = CancellationTokenSource.CreateLinkedTokenSource(cancel))
            {
                limit.CancelAfter(settings.TimeLimit);
                try
                {
                    using (var request = new HttpRequestMessage(method, new Uri(settings.Address, path)))
                    {
                        if (body != null) request.Content = new StringContent(Json.Write(body), Encoding.UTF8, "application/json");
                        using (var response = await http.Value.SendAsync(request, HttpCompletionOption.ResponseHeadersRead, limit.Token).ConfigureAwait(false))
                        // .NET Framework doesn't cancel the reading of a response.
                        using (limit.Token.Register(response.Dispose))
                        {
                            hasHeaders = true;
                            return await ReadAsync(response).ConfigureAwait(false);
                        }
                    }
                }
                catch (Exception error)
                {
                    if (cancel.IsCancellationRequested) return new HttpAnswer { Unanswered = Unanswered.Cancelled };
                    settings.Report("No answer from the portal", error.GetBaseException());
                    var isGarbage = hasHeaders && !limit.IsCancellationRequested;
                    return new HttpAnswer { Unanswered = isGarbage ? Unanswered.Garbage : Unanswered.Unreachable };
                }
            }
        }

        static async Task<HttpAnswer> ReadAsync(HttpResponseMessage response)
        {
            var status = (int)response.StatusCode;
            if (status == 429 || status >= 500)
                return new HttpAnswer { Unanswered = Unanswered.Busy, RetryAfter = ReadRetryAfter(response) };
            if (status == 407) return new HttpAnswer { Unanswered = Unanswered.Unreachable };
            if (status == 204) return new HttpAnswer { Status = status };
            using (var stream = await response.Content.ReadAsStreamAsync().ConfigureAwait(false))
            {
                var json = Json.TryParseObject(await ReadTextAsync(stream).ConfigureAwait(false));
                return json == null ? new HttpAnswer { Unanswered = Unanswered.Garbage } : new HttpAnswer { Status = status, Json = json };
            }
        }

        /// <summary>Returns null for a date, which a wrong clock turns into any delay, even a negative one.</summary>
        static TimeSpan? ReadRetryAfter(HttpResponseMessage response) => response.Headers.RetryAfter?.Delta;

        /// <summary>Returns null if the text is longer than any answer, decompressed or not.</summary>
        static async Task<string> ReadTextAsync(Stream stream)
        {
            var bytes = new MemoryStream();
            var buffer = new byte[16 * 1024];
            int count;
            while ((count = await stream.ReadAsync(buffer, 0, buffer.Length).ConfigureAwait(false)) > 0)
            {
                bytes.Write(buffer, 0, count);
                if (bytes.Length > MaxBytes) return null;
            }
            return new UTF8Encoding(false, true).GetString(bytes.ToArray());
        }

        /// <summary>Opens a download. The caller disposes the response.</summary>
        public Task<HttpResponseMessage> OpenAsync(Uri address, CancellationToken cancel) =>
            http.Value.GetAsync(address, HttpCompletionOption.ResponseHeadersRead, cancel);
    }
}
