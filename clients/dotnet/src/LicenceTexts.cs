using System.Linq;

namespace LicencePortal
{
    /// <summary>English texts for users. <see cref="LicenceSettings.Text"/> replaces them.</summary>
    public static class LicenceTexts
    {
        /// <summary>Returns the text of a warning, or the warning itself if it is unknown.</summary>
        public static string OfWarning(string warning)
        {
            switch (warning)
            {
                case "PAYMENT_OVERDUE": return "The last payment failed. Please update the card in the portal.";
                case "EXPIRING_SOON": return "The licence expires within 7 days.";
                case "CLOCK_SKEW": return "This device's clock is more than 5 minutes off. Please correct it.";
                case "UPDATE_AVAILABLE": return "A newer version is available.";
                default: return warning;
            }
        }

        internal const string DamagedFile = "This is not a licence file, or it is damaged. Please download it again, and update the add-in if that doesn't help.";
        internal const string FileOfAnotherDevice = "This licence file is not for this device's request file. Please create it from that file.";

        internal static string Of(Decision decision)
        {
            if (decision.OwnMessage != null) return decision.OwnMessage;
            switch (decision.Reason)
            {
                case Reason.Answered: case Reason.LicenceFile: return "";
                case Reason.Grace:
                    return "The licence couldn't be checked. You can keep working until " + decision.Until?.ToLocalTime().ToString("g") + ".";
                case Reason.Refused: return "";
                case Reason.SeatNeeded: return "Please take a seat to continue.";
                case Reason.KeptForAnotherMachine:
                    return "The stored licence is for another device. Please connect to the internet, or activate again.";
                case Reason.ClockSetBack:
                    return "This device's clock was set back. Please correct it, or connect to the internet once.";
                case Reason.GraceEnded:
                    return "The licence hasn't been checked for too long. Please connect to the internet once.";
                case Reason.KeptForged: return "The stored licence is damaged. Please connect to the internet, or activate again.";
            }
            switch (decision.Unanswered)
            {
                case Unanswered.Rejected:
                    return decision.Faults.Values.SelectMany(list => list).FirstOrDefault() ?? "Please check what you typed.";
                case Unanswered.Unreachable:
                    return "We couldn't reach the licence server. Please check the internet connection and try again.";
                case Unanswered.Garbage: case Unanswered.Forged:
                    return "The network answered instead of the licence server. Please sign in to the network, then try again.";
                case Unanswered.Busy: return "The licence server is busy. Please try again in a few minutes.";
                case Unanswered.Failed: return "The licence couldn't be checked on this device. Please try again, or contact support.";
                case Unanswered.Cancelled: return "";
                default: return "Please activate the add-in.";
            }
        }

        internal static Offer OfferFor(Decision decision)
        {
            switch (decision.Reason)
            {
                case Reason.Answered: case Reason.LicenceFile:
                    return decision.Warnings.Contains("UPDATE_AVAILABLE") ? Offer.Update : Offer.None;
                case Reason.Grace: return Offer.None;
                case Reason.SeatNeeded: return Offer.TakeSeat;
                case Reason.NotActivated:
                    return decision.Unanswered == Unanswered.Rejected ? Offer.RetypeCode
                        : decision.Unanswered == Unanswered.None ? Offer.Activate : Offer.Retry;
                case Reason.Refused: return OfferForResult(decision.ResultCode);
                default: return Offer.Retry;
            }
        }

        /// <summary>Follows the table of result codes in docs/addin.md.</summary>
        static Offer OfferForResult(int code)
        {
            switch (code)
            {
                case 10: return Offer.RetypeCode;
                case 12: case 21: case 23: return Offer.Activate;
                case 14: return Offer.OpenAccount;
                case 22: return Offer.MoveLicence;
                case 30: return Offer.Retry;
                case 31: case 32: return Offer.TakeSeat;
                case 40: case 41: return Offer.SeePlans;
                case 51: return Offer.Update;
                default: return Offer.ContactSupport;
            }
        }
    }
}
