using System;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Net.Http;
using System.Security.Cryptography;
using System.Text.RegularExpressions;
using System.Threading;
using System.Threading.Tasks;

namespace LicencePortal
{
    public sealed partial class LicenceClient
    {
        /// <summary>Returns a newer version of the add-in, if there is one. Refuses updates that aren't signed, are older than the last
        /// one seen, or have expired.</summary>
        /// <param name="stage">4 Production, 3 Beta, 2 Alpha.</param>
        /// <param name="cancel">Cancels the request.</param>
        public Task<UpdateCheck> CheckUpdateAsync(int stage = 4, CancellationToken cancel = default(CancellationToken)) =>
            ValueAsync(() => CheckUpdateNowAsync(stage, cancel));

        async Task<UpdateCheck> CheckUpdateNowAsync(int stage, CancellationToken cancel)
        {
            // Version 0 always gets a signed manifest. Otherwise a server could freeze the add-in with 'nothing new'.
            var path = "/v1/software/update?version=0&stage=" + stage.ToString(CultureInfo.InvariantCulture);
            var http = await transport.SendAsync(HttpMethod.Get, path, null, cancel).ConfigureAwait(false);
            if (http.Unanswered != Unanswered.None) return new UpdateCheck { Unanswered = http.Unanswered };
            if (http.Status == 400) return new UpdateCheck { Unanswered = Unanswered.Rejected };
            var keys = http.Status == 200 ? await GetReleaseKeysAsync(cancel).ConfigureAwait(false) : null;
            return CheckManifest(http, stage, keys);
        }

        UpdateCheck CheckManifest(HttpAnswer http, int stage, KeySet keys)
        {
            var state = store.Read();
            var name = stage.ToString(CultureInfo.InvariantCulture);
            var isKnown = state.UpdateSequences.TryGetValue(name, out var known);
            if (http.Status == 204) return new UpdateCheck { Refusal = isKnown ? UpdateRefusal.Missing : UpdateRefusal.None };
            string version = http.Json?.Text("version"), url = http.Json?.Text("url"), sha256 = http.Json?.Text("sha256");
            if (http.Status != 200 || version == null || !IsWebAddress(url) || !Regex.IsMatch(sha256 ?? "", "^[0-9a-f]{64}$"))
                return new UpdateCheck { Unanswered = Unanswered.Garbage };
            var manifest = Jws.Read(http.Json.Text("proof"), "update-manifest", kid => keys.TryGetValue(kid, out var key) ? key : null);
            if (manifest == null) return new UpdateCheck { Refusal = UpdateRefusal.Unsigned };
            var isSame = manifest.Text("version") == version && manifest.Text("url") == url && manifest.Text("sha256") == sha256 && manifest.Integer("stage") == stage;
            long? sequence = manifest.Integer("sequence"), expires = manifest.Integer("exp");
            if (!isSame || sequence == null) return new UpdateCheck { Refusal = UpdateRefusal.Different };
            if (expires == null || SignedAnswer.FromUnix(expires.Value) <= settings.Now() + state.ClockOffset)
                return new UpdateCheck { Refusal = UpdateRefusal.Expired };
            if (isKnown && sequence < known) return new UpdateCheck { Refusal = UpdateRefusal.RolledBack };
            store.Update(one => one.UpdateSequences[name] = sequence.Value);
            var isNewer = CompareVersions(version, settings.AddInVersion) > 0;
            return new UpdateCheck { Update = isNewer ? new Update(version, new Uri(url), sha256) : null };
        }

        /// <summary>Returns the shipped keys, or those fetched once. Later ones come with the add-in's own updates.</summary>
        async Task<KeySet> GetReleaseKeysAsync(CancellationToken cancel)
        {
            var keys = Shipped(settings.ShippedReleaseKeys);
            if (keys.Count == 0) keys = store.Read().ReleaseKeys;
            if (keys.Count > 0) return keys;
            var http = await transport.SendAsync(HttpMethod.Get, "/v1/software/release-keys", null, cancel).ConfigureAwait(false);
            keys = http.Status == 200 ? KeySet.FromJwks(http.Json) : new KeySet();
            store.Update(state => { if (state.ReleaseKeys.Count == 0) state.ReleaseKeys = keys; });
            return keys;
        }

        /// <summary>Downloads an update and compares its checksum. The file exists only if it is the signed one.</summary>
        /// <param name="update">From <see cref="CheckUpdateAsync"/>.</param>
        /// <param name="file">Path of the new file. It is overwritten.</param>
        /// <param name="progress">Receives the bytes so far.</param>
        /// <param name="cancel">Stops the download.</param>
        public async Task<DownloadResult> DownloadAsync(Update update, string file, IProgress<long> progress = null, CancellationToken cancel = default(CancellationToken))
        {
            var part = file + ".part";
            var isResponding = false;
            try
            {
                using (var response = await Task.Run(() => transport.OpenAsync(update.Address, cancel)).ConfigureAwait(false))
                using (cancel.Register(response.Dispose))
                {
                    if (!response.IsSuccessStatusCode) return (int)response.StatusCode == 404 ? DownloadResult.Withdrawn : DownloadResult.Unreachable;
                    isResponding = true;
                    var sha256 = await SaveAsync(response, part, progress).ConfigureAwait(false);
                    if (sha256 != update.Sha256) return DownloadResult.WrongChecksum;
                }
                if (File.Exists(file)) File.Delete(file);
                File.Move(part, file);
                return DownloadResult.Done;
            }
            catch (Exception error)
            {
                settings.Report("The download failed", error);
                if (cancel.IsCancellationRequested) return DownloadResult.Cancelled;
                return isResponding && !(error is HttpRequestException) ? DownloadResult.Failed : DownloadResult.Unreachable;
            }
            finally
            {
                try { File.Delete(part); } catch (Exception) { /* The next download overwrites it. */ }
            }
        }

        static async Task<string> SaveAsync(HttpResponseMessage response, string path, IProgress<long> progress)
        {
            using (var sha = SHA256.Create())
            using (var source = await response.Content.ReadAsStreamAsync().ConfigureAwait(false))
            using (var target = new FileStream(path, FileMode.Create, FileAccess.Write, FileShare.None))
            {
                var buffer = new byte[64 * 1024];
                int count;
                long bytes = 0;
                while ((count = await source.ReadAsync(buffer, 0, buffer.Length).ConfigureAwait(false)) > 0)
                {
                    sha.TransformBlock(buffer, 0, count, null, 0);
                    target.Write(buffer, 0, count);
                    progress?.Report(bytes += count);
                }
                sha.TransformFinalBlock(buffer, 0, 0);
                return BitConverter.ToString(sha.Hash).Replace("-", "").ToLowerInvariant();
            }
        }

        static bool IsWebAddress(string url) => Uri.TryCreate(url, UriKind.Absolute, out var address) && address.Scheme.StartsWith("http", StringComparison.Ordinal);

        /// <summary>Compares up to four numbers. Suffixes such as <c>-beta.1</c> don't count.</summary>
        static int CompareVersions(string one, string other)
        {
            int[] left = Numbers(one), right = Numbers(other);
            return Enumerable.Range(0, 4).Select(index => left[index].CompareTo(right[index])).FirstOrDefault(difference => difference != 0);
        }

        static int[] Numbers(string version) => version.Split('-')[0].Split('.').Select(part => int.TryParse(part, out var number) ? number : 0)
            .Concat(new int[4]).Take(4).ToArray();
    }

    /// <summary>A newer version of the add-in.</summary>
    public sealed class Update
    {
        internal Update(string version, Uri address, string sha256) { Version = version; Address = address; Sha256 = sha256; }
        /// <summary>Version.</summary>
        public string Version { get; }
        /// <summary>Address of the file.</summary>
        public Uri Address { get; }
        /// <summary>Checksum of the file in hex.</summary>
        public string Sha256 { get; }
    }

    /// <summary>Why an update was refused although the server responded.</summary>
    public enum UpdateRefusal
    {
        /// <summary>It wasn't.</summary>
        None,
        /// <summary>No key that the add-in trusts signed it.</summary>
        Unsigned,
        /// <summary>The signed values differ from the others.</summary>
        Different,
        /// <summary>The signature has expired.</summary>
        Expired,
        /// <summary>It is older than the last one seen.</summary>
        RolledBack,
        /// <summary>The server denies the version it offered before.</summary>
        Missing,
    }

    /// <summary>Result of looking for an update.</summary>
    public sealed class UpdateCheck
    {
        internal UpdateCheck() { }
        /// <summary>The newer version, or null.</summary>
        public Update Update { get; internal set; }
        /// <summary>Why an update was refused.</summary>
        public UpdateRefusal Refusal { get; internal set; }
        /// <summary>Why there was no answer.</summary>
        public Unanswered Unanswered { get; internal set; }
    }

    /// <summary>Result of a download.</summary>
    public enum DownloadResult
    {
        /// <summary>The file is complete and has the signed checksum.</summary>
        Done,
        /// <summary>The server can't be reached.</summary>
        Unreachable,
        /// <summary>The file isn't the signed one. It was deleted.</summary>
        WrongChecksum,
        /// <summary>The version was withdrawn. Look for an update again.</summary>
        Withdrawn,
        /// <summary>The caller cancelled.</summary>
        Cancelled,
        /// <summary>The file couldn't be written.</summary>
        Failed,
    }
}
