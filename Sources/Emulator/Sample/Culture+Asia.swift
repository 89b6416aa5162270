extension Culture {
  static let asia = [
    Culture(
      "India", "Hindi", weight: 15, utc: 5,
      places: """
        Mumbai, Maharashtra, Bandra, Andheri, Dadar; Delhi, Delhi, Karol Bagh, Saket; \
        Jaipur, Rajasthan, C-Scheme; Lucknow, Uttar Pradesh, Gomti Nagar; Pune, Maharashtra, Kothrud
        """,
      women: "Priya Ananya Neha Pooja प्रिया अनन्या काव्या Shreya Kavya नेहा",
      men: "Rahul Arjun Vikram राहुल अर्जुन Rohan विक्रम Aditya Sanjay Imran",
      families: "Sharma Verma शर्मा Patel Singh Gupta वर्मा Khan Reddy"),
    Culture(
      "Indonesia", "Indonesian", weight: 7, utc: 7,
      places: "Jakarta, Jakarta, Kemang, Menteng; Surabaya, Jawa Timur, Gubeng; "
        + "Bandung, Jawa Barat, Dago; Denpasar, Bali, Sanur",
      women: "Siti Dewi Putri Ayu Rina Intan Wulan",
      men: "Budi Agus Rizky Dimas Bayu Fajar Eko",
      families: "Santoso Wijaya Pratama Nugroho Saputra Lestari"),
    Culture(
      "Japan", "Japanese", weight: 4, utc: 9,
      places: "Tokyo, Tokyo, Shibuya, Nakano; Osaka, Osaka, Namba, Umeda; "
        + "Fukuoka, Fukuoka, Tenjin; Sapporo, Hokkaido, Susukino",
      women: "さくら 美咲 陽菜 結衣 あおい 七海",
      men: "翔太 大輝 蓮 健太 悠斗 拓海",
      families: "佐藤 鈴木 高橋 田中 渡辺 伊藤"),
    Culture(
      "South Korea", "Korean", weight: 3, utc: 9,
      places: "Seoul, Seoul, Mapo, Gangnam; Busan, Busan, Haeundae; Daegu, Daegu, Suseong",
      women: "지민 서연 하은 수빈 유나", men: "민준 도윤 지훈 현우 준서",
      families: "김 이 박 최 정"),
    Culture(
      "Philippines", "Filipino", weight: 6, utc: 8,
      places: "Quezon City, Metro Manila, Cubao, Diliman; Cebu City, Cebu, Lahug; "
        + "Davao City, Davao del Sur, Matina",
      women: "Angelica Maricel Jasmine Kristine Rhea Bea",
      men: "Jomar Christian Rodel Mark Paolo Jericho",
      families: "Santos Reyes Dela-Cruz Bautista Villanueva Peña"),
    Culture(
      "Pakistan", "Urdu", weight: 4, utc: 5,
      places: "Karachi, Sindh, Clifton, Saddar; Lahore, Punjab, Gulberg; Islamabad, Islamabad, F-7",
      women: "عائشہ فاطمہ Ayesha زینب Hira Sana", men: "علی احمد Bilal حمزہ Usman Hassan",
      families: "خان Malik شیخ Qureshi Butt"),
    Culture(
      "Egypt", "Arabic", weight: 5, utc: 2,
      places: "Cairo, Cairo, Zamalek, Maadi, Shubra; Alexandria, Alexandria, Sidi Gaber; "
        + "Giza, Giza, Dokki",
      women: "مريم نور سلمى ياسمين هبة دينا", men: "محمد أحمد عمر كريم يوسف مصطفى",
      families: "حسن إبراهيم السيد منصور عبدالله"),
    Culture(
      "Saudi Arabia", "Arabic", weight: 3, utc: 3,
      places: "Riyadh, Riyadh, Olaya; Jeddah, Makkah, Al Balad; Dammam, Eastern Province, Corniche",
      women: "نورة سارة ريم لمى", men: "عبدالعزيز فهد سلطان ناصر",
      families: "العتيبي القحطاني الغامدي الحربي"),
    Culture(
      "Israel", "Hebrew", weight: 2, utc: 2,
      places: "Tel Aviv, Tel Aviv, Florentin; Haifa, Haifa, Hadar; Jerusalem, Jerusalem, Nachlaot",
      women: "נועה תמר מאיה יעל", men: "איתי דניאל אורי יונתן", families: "כהן לוי מזרחי פרץ"),
    Culture(
      "Thailand", "Thai", weight: 3, utc: 7,
      places: "Bangkok, Bangkok, Ari, Thonglor; Chiang Mai, Chiang Mai, Nimman; "
        + "Phuket, Phuket, Patong",
      women: "สุดา มาลี พิมพ์ ณัฐชา", men: "สมชาย ธนา ก้อง ณัฐ",
      families: "ใจดี ศรีสุข แสงทอง วงศ์ไทย"),
  ]
}
