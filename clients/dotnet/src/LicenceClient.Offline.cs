using System;
using System.Linq;
using System.Threading.Tasks;

namespace LicencePortal
{
    public sealed partial class LicenceClient
    {
        const string FileBegins = "-----BEGIN LICENCE FILE-----", FileEnds = "-----END LICENCE FILE-----";

        /// <summary>Creates a request file for a device without a connection. The owner exchanges it for a licence file in the portal.
        /// Files for the same code stay valid until the device is deactivated. Returns null if it can't be stored.</summary>
        public Task<string> CreateRequestFileAsync(string licenceCode) => ValueAsync(() =>
        {
            var state = store.Update(one =>
            {
                if (IsSameCode(one.RequestCode, licenceCode) && one.RequestNonce != null) return;
                one.RequestCode = licenceCode;
                one.RequestNonce = NewNonce();
            });
            return Task.FromResult(Json.Write(CommonBody(licenceCode, state.RequestNonce)));
        });

        /// <summary>Installs the licence file for this device's request. It is checked with shipped keys, and with keys fetched
        /// earlier. <see cref="CheckAsync"/> activates the device once there is a network.</summary>
        public Task<Decision> InstallLicenceFileAsync(string licenceFile) => DecideAsync(() =>
        {
            var text = licenceFile ?? "";
            int begin = text.IndexOf(FileBegins, StringComparison.Ordinal), end = text.IndexOf(FileEnds, StringComparison.Ordinal);
            var inside = begin >= 0 && end > begin ? text.Substring(begin + FileBegins.Length, end - begin - FileBegins.Length) : "";
            var jws = new string(inside.Where(one => !char.IsWhiteSpace(one)).ToArray());
            var state = store.Read();
            var signed = ReadSigned(state, jws, "licence-file");
            if (signed == null || !signed.PermitsRunning) return Task.FromResult(RefuseFile(Reason.KeptForged, LicenceTexts.DamagedFile));
            if (signed.Nonce != state.RequestNonce || signed.Fingerprint != settings.DescribeDevice().Fingerprint)
                return Task.FromResult(RefuseFile(Reason.KeptForAnotherMachine, LicenceTexts.FileOfAnotherDevice));
            store.Update(one =>
            {
                if (!IsSameCode(one.RequestCode, one.LicenceCode))
                {
                    string code = one.RequestCode, nonce = one.RequestNonce;
                    one.ForgetDevice();
                    one.LicenceCode = one.RequestCode = code;
                    one.RequestNonce = nonce;
                }
                one.LicenceFile = jws;
                if (signed.IssuedAt > one.LatestTrusted) one.LatestTrusted = signed.IssuedAt;
            });
            return Task.FromResult(Stored(new Outcome()));
        });

        static Decision RefuseFile(Reason reason, string message) => new Decision { Reason = reason, OwnMessage = message };
    }
}
